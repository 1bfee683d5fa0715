// Metacontroller's way: a three-way merge by us, with what was applied last in an annotation; whole objects are written.

import { diffObjects } from '../../diff/index.ts';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { LAST_APPLIED_ANNOTATION, recordFor, withLastApplied } from '../../merge/index.ts';
import type { UpdateMethod } from '../../model/definition.ts';
import type { Answers, Need } from '../../model/need.ts';
import type { KubeObject, OwnerReference } from '../../model/object.ts';
import type { Intent } from '../../model/plan.ts';
import { refKey, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { rebase } from '../rebase.ts';
import { type ApplyMode, type ChildWrite, withOwner } from './apply-mode.ts';
import { formerApplyOf } from './former-apply.ts';
import { KnownKinds } from './known-kinds.ts';
import { isPrinted } from './printed.ts';

const annotation = LAST_APPLIED_ANNOTATION;

export interface DynamicOptions {
  /** Ours: what they own by server-side apply is taken back. */
  readonly managers: readonly string[];
  readonly types: readonly ResourceType[];
  readonly answers: Answers;
  /** Absent: in place, for all. */
  readonly methodOf?: (type: ResourceType) => UpdateMethod;
}

export class DynamicMode implements ApplyMode {
  readonly diagnostics = [];
  readonly #options: DynamicOptions;
  readonly #kinds: KnownKinds;
  /** A rollout asks about the same two objects several times in one planning. */
  readonly #compared = new Map<KubeObject, Map<KubeObject, ChildWrite | undefined>>();

  constructor(options: DynamicOptions) {
    this.#options = options;
    this.#kinds = new KnownKinds(options);
  }

  get needs(): readonly Need[] {
    return [...this.#kinds.needs.values()];
  }

  isAsWanted(observed: KubeObject, desired: KubeObject): boolean {
    const write = this.#compare(observed, desired);
    return write === undefined || write.bookkeeping === true;
  }

  updateOf(observed: KubeObject, desired: KubeObject): ChildWrite | undefined {
    const write = this.#compare(observed, desired);
    const type = this.#kinds.typeOf(observed);
    // What nobody writes needs no bookkeeping.
    const isLeft = type && this.#options.methodOf?.(type) === 'OnDelete';
    return write?.bookkeeping && isLeft ? undefined : write;
  }

  #compare(observed: KubeObject, desired: KubeObject): ChildWrite | undefined {
    if (this.#isApplied(observed)) return this.#takenBack(observed, desired);
    const known = this.#compared.get(observed) ?? new Map<KubeObject, ChildWrite | undefined>();
    this.#compared.set(observed, known);
    if (!known.has(desired)) known.set(desired, mergedOver(observed, desired));
    return known.get(desired);
  }

  creationOf(desired: KubeObject, owner: OwnerReference): ChildWrite {
    const after = withOwner(withLastApplied(desired, annotation), owner);
    return { after, intent: { kind: 'create', object: after } };
  }

  wasApplied(observed: KubeObject, desired: KubeObject): boolean {
    return observed.metadata.annotations?.[annotation] === recordFor(desired, annotation);
  }

  /** By server-side apply. Of such an object the caches keep these entries of managedFields. */
  #isApplied({ metadata }: KubeObject): boolean {
    const { managers } = this.#options;
    return (metadata.managedFields ?? []).some(
      ({ operation, manager = '', subresource, fieldsV1 }) =>
        operation === 'Apply' && subresource === undefined && managers.includes(manager) && namesOwners(fieldsV1),
    );
  }

  #takenBack(observed: KubeObject, desired: KubeObject): ChildWrite | undefined {
    const { managers, answers } = this.#options;
    const known = this.#kinds.of(observed);
    const type = this.#kinds.typeOf(observed);
    if (!type) return undefined;
    const ref = refOf(observed);
    const id = `live-${refKey(ref)}-${observed.metadata.resourceVersion}`;
    const live = answers.get(id);
    if (live?.kind !== 'live-read') this.#kinds.needs.set(id, { kind: 'live-read', id, type, ref });
    if (live?.kind !== 'live-read' || !known || !live.object) return undefined;
    const from = formerApplyOf(live.object, managers, known.kind);
    const intent: Intent = { kind: 'merge', desired, annotation, from };
    const after = rebase(intent, live.object);
    if (!after) return undefined;
    const bookkeeping = diffObjects(live.object, after).length === 0;
    return { after, intent, note: 'from server-side apply to the annotation', ...(bookkeeping ? { bookkeeping } : {}) };
  }
}

function mergedOver(observed: KubeObject, desired: KubeObject): ChildWrite | undefined {
  const intent: Intent = { kind: 'merge', desired, annotation };
  const after = rebase(intent, observed);
  return after === undefined || after === observed || isPrinted(after, observed) ? undefined : { after, intent };
}

/** As a child it was applied with its parent among the owners; an input (-f) of the same manager is not ours to take apart. */
const namesOwners = (fields: JsonObject | undefined): boolean =>
  fields !== undefined && isJsonObject(fields['f:metadata']) && 'f:ownerReferences' in fields['f:metadata'];
