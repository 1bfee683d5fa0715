// Server-side apply: the server merges, and keeps who owns which field in the object itself. What is as wanted is told here,
// without a call (merge/matcher); where that can't be told, and in a plan for all that differs, the server is asked for a
// dry run. An object that was written in another way before is moved over first (migration.ts).

import { isJsonObject } from '../../kit/json.ts';
import { holdsUnknown } from '../../kit/unknown.ts';
import { type Match, matchApplied, removeItems, setOfPaths } from '../../merge/index.ts';
import type { ApplySettings, UpdateMethod } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, DryRunAnswer, FieldConflict, Need } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { type ApplyMode, type ChildWrite, type Conflicted, withOwner } from './apply-mode.ts';
import { judgeConflicts } from './conflict-rules.ts';
import { dryRunNeed } from './dry-run-need.ts';
import { conflictTexts, fieldConflictsOf, pathsByName } from './field-conflicts.ts';
import { type KnownKind, KnownKinds } from './known-kinds.ts';
import type { Legacy } from './legacy.ts';
import { applyLocally, isSure, mergedHere } from './local-apply.ts';
import { type Moved, migrationFor } from './migration.ts';
import { NO_DRY_RUNS, wouldBeRefused } from './problems.ts';
import { sameContent } from './same-content.ts';

export interface ServerSideOptions {
  readonly settings: ApplySettings;
  readonly answers: Answers;
  /** Of all kinds that are applied. */
  readonly types: readonly ResourceType[];
  /** The parent; absent: what is applied belongs to nobody. */
  readonly owner?: OwnerReference;
  /** Every write is tried on the server first: in a plan. */
  readonly tryAll: boolean;
  /** Absent: nobody applied these objects before in another way. */
  readonly legacy?: Legacy;
  /** Kinds whose definition is changed before they are applied: their schema is not known, and the server can't try. */
  readonly isInFlux?: (type: ResourceType) => boolean;
  /** Absent: in place, for all. */
  readonly methodOf?: (type: ResourceType) => UpdateMethod;
}

/** Of one observed and one desired object. */
interface Scene {
  readonly observed: KubeObject;
  readonly known: KnownKind;
  /** The server can be asked: it has the object as observed. */
  readonly isLive: boolean;
}

/** What is to be applied, as far as the conflicts are settled that were found. */
interface Wish {
  readonly desired: KubeObject;
  readonly force: boolean;
  readonly taken: readonly FieldConflict[];
  readonly left: readonly FieldConflict[];
}

interface Found {
  readonly found: readonly FieldConflict[];
}

interface Verdict {
  /** It is to be moved over first; what is to be written then stands beside it. */
  readonly moved?: Moved;
  readonly write?: ChildWrite | Conflicted | undefined;
  readonly isDrift?: true;
  readonly problem?: Diagnostic;
}

/** Found here, and once or twice more by the server, which knows more. */
const MOST_TRIES = 4;

export class ServerSideMode implements ApplyMode {
  readonly #options: ServerSideOptions;
  readonly #kinds: KnownKinds;
  readonly #diagnostics = new Map<string, Diagnostic>();
  /** A rollout compares the same two again and again. */
  readonly #verdicts = new WeakMap<KubeObject, WeakMap<KubeObject, Verdict>>();
  readonly #drifted = new WeakSet<KubeObject>();

  constructor(options: ServerSideOptions) {
    this.#options = options;
    this.#kinds = new KnownKinds(options);
  }

  get needs(): readonly Need[] {
    return [...this.#kinds.needs.values()];
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  isAsWanted(observed: KubeObject, desired: KubeObject): boolean {
    return this.#verdict(observed, desired).write === undefined;
  }

  updateOf(observed: KubeObject, desired: KubeObject): ChildWrite | Conflicted | undefined {
    const { moved, write, isDrift, problem } = this.#verdict(observed, desired);
    if (isDrift) this.#drifted.add(observed);
    if (problem) this.#diagnostics.set(formatRef(refOf(observed)), problem);
    if (!moved || (write && 'conflicts' in write)) return write;
    const method = this.#methodOf(observed);
    // What is replaced, or left as it is, is not moved over for that.
    if (write && !isInPlace(method)) return write;
    if (method === 'OnDelete') return undefined;
    const intent = { kind: 'migrate', migration: moved.migration } as const;
    if (!write) return { after: moved.after, intent, note: MOVES, bookkeeping: true };
    // Otherwise the second write is planned when the first is done.
    return { after: moved.after, intent, note: MOVES, ...(this.#options.tryAll ? { next: write } : {}) };
  }

  creationOf(desired: KubeObject): ChildWrite {
    const after = this.#whole(desired);
    return { after, intent: { kind: 'apply', desired: after } };
  }

  wasApplied(observed: KubeObject): boolean {
    return this.#drifted.has(observed);
  }

  #whole(desired: KubeObject): KubeObject {
    const { owner } = this.#options;
    return owner ? withOwner(desired, owner) : desired;
  }

  #methodOf(object: KubeObject): UpdateMethod {
    const type = this.#kinds.typeOf(object);
    return (type && this.#options.methodOf?.(type)) ?? 'InPlace';
  }

  #verdict(observed: KubeObject, desired: KubeObject): Verdict {
    const known = this.#verdicts.get(desired) ?? new WeakMap<KubeObject, Verdict>();
    this.#verdicts.set(desired, known);
    const verdict = known.get(observed) ?? this.#compare(observed, this.#whole(desired));
    known.set(observed, verdict);
    return verdict;
  }

  #compare(observed: KubeObject, desired: KubeObject): Verdict {
    const known = this.#kinds.of(desired);
    if (!known) return {};
    const { legacy, settings } = this.#options;
    const source = legacy && known.isTold && { legacy, known, fieldManager: settings.fieldManager };
    const moved = source && migrationFor(observed, desired, source);
    if (!moved) return this.#decide(desired, { observed, known, isLive: true });
    return { moved, ...this.#decide(desired, { observed: moved.after, known, isLive: false }) };
  }

  #decide(desired: KubeObject, scene: Scene): Verdict {
    let wish: Wish = { desired, force: false, taken: [], left: [] };
    for (let tries = 1; ; tries++) {
      const match = this.#match(wish.desired, scene);
      if (match === 'same') return {};
      const tried = this.#try(wish, match, scene);
      if (!('found' in tried)) return wish.taken.length > 0 ? { ...tried, isDrift: true } : tried;
      const next = this.#settle(wish, tried.found, scene);
      if ('conflicts' in next) return { write: next };
      if (tries === MOST_TRIES) return { write: { conflicts: this.#texts(tried.found, wish, scene) } };
      wish = next;
    }
  }

  /** The rules for conflicts have their say. */
  #settle(wish: Wish, found: readonly FieldConflict[], scene: Scene): Wish | Conflicted {
    const { settings, legacy } = this.#options;
    // Nothing is written there that could take anything from anybody.
    const isLeft = this.#methodOf(scene.observed) === 'OnDelete';
    const rules = isLeft ? { conflicts: [], force: true } : settings;
    const own = [settings.fieldManager, ...(legacy?.appliers ?? [])];
    const { ignored, forced, failed } = judgeConflicts(found, rules, own);
    if (failed.length > 0) return { conflicts: this.#texts(failed, wish, scene) };
    return {
      desired: ignored.length === 0 ? wish.desired : without(wish.desired, ignored, scene.known),
      force: wish.force || forced.length > 0,
      taken: [...wish.taken, ...forced.filter(({ manager }) => !own.includes(manager))],
      left: [...wish.left, ...ignored],
    };
  }

  #texts(conflicts: readonly FieldConflict[], { desired }: Wish, { observed, known }: Scene): string[] {
    return conflictTexts(conflicts, { observed, desired, known });
  }

  #match(desired: KubeObject, { observed, known }: Scene): Match {
    const { fieldManager } = this.#options.settings;
    return matchApplied({ desired, live: observed, fieldManager, ...known });
  }

  /** Here, and where that does not tell enough, on the server. */
  #try(wish: Wish, match: Match, scene: Scene): Verdict | Found {
    const { observed, known, isLive } = scene;
    const local = applyLocally(observed, { ...wish, fieldManager: this.#options.settings.fieldManager }, known);
    if (local.kind === 'conflicts' && known.isTold) return { found: fieldConflictsOf(local.conflicts) };
    if (this.#options.isInFlux?.(known.type)) {
      const after = mergedHere(local, { observed, desired: wish.desired, known });
      return { write: this.#writeOf(wish, { after, fidelity: { level: 'schema', why: IN_FLUX } }) };
    }
    const isUnsure = match === 'unknown' || !isSure(observed, known) || local.kind !== 'applied';
    if (!isLive && isUnsure) return {};
    const asks = isLive && (isUnsure || this.#options.tryAll) && !holdsUnknown(wish.desired);
    const said = asks ? this.#dryRun(wish, scene) : undefined;
    if (asks && !said) return {};
    if (said?.outcome === 'unchanged') return {};
    if (said?.outcome === 'conflicts') return { found: said.conflicts };
    if (said?.outcome === 'applied')
      return { write: this.#writeOf(wish, { after: said.object, fidelity: { level: 'server' } }) };
    const after = mergedHere(local, { observed, desired: wish.desired, known });
    if (sameContent(after, observed, known.type)) return {};
    const why = said ? `merged here: ${said.outcome === 'moved' ? 'it has changed since' : said.message}` : MERGED_HERE;
    const fidelity = holdsUnknown(wish.desired) ? {} : ({ fidelity: { level: 'schema', why } } as const);
    return { write: this.#writeOf(wish, { after, ...fidelity }), ...this.#problemOf(said, observed) };
  }

  #writeOf(wish: Wish, told: Pick<ChildWrite, 'after' | 'fidelity'>): ChildWrite {
    const { desired, force } = wish;
    // Forced by a rule, it takes what was found in conflict, and nothing that somebody took since.
    const isExact = force && !this.#options.settings.force;
    const note = noteOf(wish);
    return {
      ...told,
      intent: { kind: 'apply', desired, ...(isExact ? { exact: true } : {}) },
      force,
      ...(note === undefined ? {} : { note }),
    };
  }

  #dryRun({ desired, force }: Wish, { observed, known }: Scene): DryRunAnswer | undefined {
    const { answers, settings } = this.#options;
    const need = dryRunNeed({ observed, desired, type: known.type, force, fieldManager: settings.fieldManager });
    const answer = answers.get(need.id);
    if (answer?.kind === 'dry-run') return answer;
    this.#kinds.needs.set(need.id, need);
    return undefined;
  }

  #problemOf(said: DryRunAnswer | undefined, observed: KubeObject): Pick<Verdict, 'problem'> {
    if (said?.outcome === 'refused') this.#diagnostics.set('', NO_DRY_RUNS);
    // A field that can't be changed in place is what the other methods are for.
    const matters = said?.outcome === 'invalid' && isInPlace(this.#methodOf(observed));
    return matters ? { problem: wouldBeRefused(observed, said.message) } : {};
  }
}

const MOVES = 'moves over to server-side apply';
const IN_FLUX = 'its definition changes with it; the server may add to it';
const MERGED_HERE = 'merged here; the server may add to it';

const isInPlace = (method: UpdateMethod): boolean => method === 'InPlace' || method === 'RollingInPlace';

function without(desired: KubeObject, ignored: readonly FieldConflict[], known: KnownKind): KubeObject {
  const paths = pathsByName(desired, known);
  const left = removeItems(desired, setOfPaths(ignored.flatMap(({ field }) => [paths.get(field) ?? []])), known.kind);
  return isJsonObject(left) ? (left as KubeObject) : desired;
}

function noteOf({ taken, left }: Wish): string | undefined {
  const list = (conflicts: readonly FieldConflict[]): string =>
    conflicts.map(({ field, manager }) => `${field} of ${JSON.stringify(manager)}`).join(', ');
  const parts = [
    ...(taken.length > 0 ? [`takes ${list(taken)}`] : []),
    ...(left.length > 0 ? [`leaves ${list(left)}`] : []),
  ];
  return parts.length > 0 ? parts.join('; ') : undefined;
}
