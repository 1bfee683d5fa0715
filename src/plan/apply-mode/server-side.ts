// Server-side apply: the server merges, and keeps who owns which field in the object itself. What is as wanted is told here,
// without a call (merge/matcher); where that can't be told, and in a plan for all that differs, the server is asked for a
// dry run.

import { digestOf } from '../../kit/hash.ts';
import { isJsonObject } from '../../kit/json.ts';
import { type ApplyAnswer, applyPatch, type Match, matchApplied, removeItems, setOfPaths } from '../../merge/index.ts';
import type { ApplySettings } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Answers, DryRunAnswer, Need } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { bodyForUpdate } from './apply-body.ts';
import { type ApplyMode, type ChildWrite, type Conflicted, withOwner } from './apply-mode.ts';
import { judgeConflicts } from './conflict-rules.ts';
import { endpointOf } from './kind-type.ts';
import { type KnownKind, KnownKinds } from './known-kinds.ts';
import { type MigrationSource, migrated, migrationFor } from './migration.ts';
import { contentOf, sameContent } from './same-content.ts';

export interface ServerSideOptions {
  readonly settings: ApplySettings;
  readonly answers: Answers;
  /** Of all kinds that are applied. */
  readonly types: readonly ResourceType[];
  /** The parent; absent: what is applied belongs to nobody. */
  readonly owner?: OwnerReference;
  /** Every write is tried on the server first: in a plan. */
  readonly tryAll: boolean;
  /** Where what was applied before is recorded, and under which managers. */
  readonly legacy?: Pick<MigrationSource, 'annotation' | 'from'>;
}

type Verdict = ChildWrite | Conflicted | undefined;

/** What is to be applied, and whether that is so already. */
interface Wish {
  readonly desired: KubeObject;
  readonly match: Match;
  readonly force: boolean;
}

export class ServerSideMode implements ApplyMode {
  readonly #options: ServerSideOptions;
  readonly #kinds: KnownKinds;
  readonly #diagnostics = new Map<string, Diagnostic>();
  /** A rollout compares the same two again and again. */
  readonly #verdicts = new WeakMap<KubeObject, WeakMap<KubeObject, { readonly verdict: Verdict }>>();

  readonly #drifted = new WeakSet<KubeObject>();

  constructor(options: ServerSideOptions) {
    this.#options = options;
    this.#kinds = new KnownKinds(options.types, options.answers);
  }

  get needs(): readonly Need[] {
    return [...this.#kinds.needs.values()];
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  isAsWanted(observed: KubeObject, desired: KubeObject): boolean {
    const write = this.updateOf(observed, desired);
    // Moving over to server-side apply changes nothing of what is wanted.
    return write === undefined || ('intent' in write && write.intent.kind === 'migrate');
  }

  updateOf(observed: KubeObject, desired: KubeObject): Verdict {
    const known = this.#verdicts.get(desired) ?? new WeakMap<KubeObject, { readonly verdict: Verdict }>();
    this.#verdicts.set(desired, known);
    const verdict = known.get(observed) ?? { verdict: this.#compare(observed, this.#whole(desired)) };
    known.set(observed, verdict);
    return verdict.verdict;
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

  #compare(observed: KubeObject, desired: KubeObject): Verdict {
    const known = this.#kinds.of(desired);
    if (!known) return undefined;
    const { legacy, settings } = this.#options;
    const migration = legacy && migrationFor(observed, { ...legacy, ...known, fieldManager: settings.fieldManager });
    if (migration)
      return {
        after: migrated(observed, migration),
        intent: { kind: 'migrate', migration },
        note: 'from the annotation to server-side apply',
      };
    const wish = this.#settle(observed, desired, known);
    return 'conflicts' in wish ? wish : this.#write(observed, wish, known);
  }

  /** What is to be applied once the rules for conflicts have had their say. */
  #settle(observed: KubeObject, desired: KubeObject, known: KnownKind): Wish | Conflicted {
    const match = this.#match(observed, desired, known);
    if (match === 'same') return { desired, match, force: false };
    const tried = this.#locally(observed, { desired, force: false }, known);
    if (tried.kind !== 'conflicts') return { desired, match, force: false };
    const { ignored, forced, failed } = judgeConflicts(tried.conflicts, this.#options.settings);
    if (failed.length > 0) return { conflicts: failed };
    this.#drifted.add(observed);
    const left = ignored.length === 0 ? desired : removeItems(desired, setOfPaths(ignored), known.kind);
    const reduced = isJsonObject(left) ? (left as KubeObject) : desired;
    return { desired: reduced, match: this.#match(observed, reduced, known), force: forced.length > 0 };
  }

  #match(live: KubeObject, desired: KubeObject, { kind, hasStatus }: KnownKind): Match {
    return matchApplied({ desired, live, fieldManager: this.#options.settings.fieldManager, kind, hasStatus });
  }

  #locally(
    live: KubeObject,
    { desired, force }: Pick<Wish, 'desired' | 'force'>,
    { type, kind }: KnownKind,
  ): ApplyAnswer {
    const { fieldManager } = this.#options.settings;
    return applyPatch(
      { live, config: desired, manager: fieldManager, force, time: NOBODY_READS_IT },
      endpointOf(type, kind),
    );
  }

  #write(observed: KubeObject, wish: Wish, known: KnownKind): Verdict {
    if (wish.match === 'same') return undefined;
    const { desired, force } = wish;
    const intent = { kind: 'apply', desired } as const;
    if (wish.match === 'unknown' || this.#options.tryAll) {
      const said = this.#dryRun(observed, wish, known);
      if (!said) return undefined;
      if (said.outcome === 'conflicts') return said;
      if (said.outcome === 'applied')
        return sameContent(said.object, observed)
          ? undefined
          : { after: said.object, intent, force, fidelity: { level: 'server' } };
      this.#tell(observed, said);
    }
    const local = this.#locally(observed, { desired, force: true }, known);
    const after = local.kind === 'applied' ? (local.object as KubeObject) : desired;
    return { after, intent, force, fidelity: { level: 'schema', why: 'merged here; the server may add to it' } };
  }

  #dryRun(observed: KubeObject, { desired, force }: Wish, { type }: KnownKind): DryRunAnswer | undefined {
    const { answers, settings } = this.#options;
    const { fieldManager } = settings;
    const id = `dry-run-${digestOf([fieldManager, force, desired, contentOf(observed)])}`;
    const answer = answers.get(id);
    if (answer?.kind === 'dry-run') return answer;
    const object = bodyForUpdate(desired, observed);
    this.#kinds.needs.set(id, { kind: 'dry-run', id, type, object, fieldManager, force });
    return undefined;
  }

  #tell(observed: KubeObject, said: Extract<DryRunAnswer, { outcome: 'invalid' | 'refused' }>): void {
    if (said.outcome === 'invalid') this.#diagnostics.set(formatRef(refOf(observed)), invalid(observed, said.message));
    else this.#diagnostics.set('', noDryRuns(said.message));
  }
}

const NOBODY_READS_IT = '1970-01-01T00:00:00Z';

const invalid = (object: KubeObject, message: string): Diagnostic => ({
  severity: 'error',
  code: 'api-error',
  summary: `${formatRef(refOf(object))}: the server would refuse it: ${message}`,
  hint: 'It was tried as a dry run; nothing was written. Change what the hook returns, or the files.',
  subject: refOf(object),
});

const noDryRuns = (message: string): Diagnostic => ({
  severity: 'warning',
  code: 'ineffective',
  summary: `no dry runs: ${message}`,
  detail:
    'What server-side apply would do is told from the schemas alone: what the server adds or refuses is not known.',
  hint: 'Give the user the verb patch on these resources; a dry run needs the same right as the write.',
});
