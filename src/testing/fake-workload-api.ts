// The store below the workload simulator, in memory: enough of an API server to hold objects, count generations, respect
// finalizers and collect what lost its owner. Names, uids and times are a function of what was asked, so runs repeat.

import { type Clock, formatTime } from '../kit/clock.ts';
import { jsonEqual } from '../kit/json.ts';
import { isDeleting, type KubeObject } from '../model/object.ts';
import { splitApiVersion } from '../model/resource.ts';
import type { WorkloadApi, WorkloadChange } from '../sandbox/index.ts';

export class FakeWorkloadApi implements WorkloadApi {
  readonly #clock: Clock;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners: ((change: WorkloadChange) => void)[] = [];
  readonly #undelivered: WorkloadChange[] = [];
  #delivering = false;
  #count = 0;
  /** Set to make create() throw, as a server does that refuses. */
  refuse: ((object: KubeObject) => Error | undefined) | undefined;
  /** "put Pod web-x" and "delete Pod web-x" in the order of the commits. */
  readonly log: string[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list(group: string, resource: string, namespace?: string): readonly KubeObject[] {
    const prefix = `${group}/${resource}/${namespace === undefined ? '' : `${namespace}/`}`;
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object);
  }

  get(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(`${group}/${resource}/${namespace ?? ''}/${name}`);
  }

  create(object: KubeObject): KubeObject {
    const refusal = this.refuse?.(object);
    if (refusal) throw refusal;
    const number = ++this.#count;
    const { generateName, ...metadata } = object.metadata;
    const created: KubeObject = {
      ...object,
      metadata: {
        ...metadata,
        name: metadata.name ?? `${generateName}${number}`,
        uid: `uid-${number}`,
        creationTimestamp: formatTime(this.#clock.now()),
        generation: 1,
      },
    };
    if (this.#objects.has(keyOf(created))) throw new Error(`${keyOf(created)} is there already`);
    this.#commit(undefined, created);
    return created;
  }

  updateStatus(object: KubeObject): void {
    const before = this.#objects.get(keyOf(object));
    if (before) this.#put(before, { ...before, status: object['status'] });
  }

  update(object: KubeObject): void {
    const before = this.#objects.get(keyOf(object));
    if (!before) return;
    const generation = (before.metadata.generation ?? 0) + (jsonEqual(before['spec'], object['spec']) ? 0 : 1);
    this.#put(before, { ...object, metadata: { ...object.metadata, generation }, status: before['status'] });
  }

  remove(object: KubeObject): void {
    const before = this.#objects.get(keyOf(object));
    if (!before || isDeleting(before)) return;
    const deletionTimestamp = formatTime(this.#clock.now());
    if (before.metadata.finalizers?.length)
      this.#put(before, { ...before, metadata: { ...before.metadata, deletionTimestamp } });
    else this.#drop(before);
  }

  onChange(listener: (change: WorkloadChange) => void): void {
    this.#listeners.push(listener);
  }

  #put(before: KubeObject, after: KubeObject): void {
    if (jsonEqual(before, after)) return;
    if (isDeleting(after) && !after.metadata.finalizers?.length) this.#drop(before);
    else this.#commit(before, after);
  }

  #drop(object: KubeObject): void {
    this.#commit(object, undefined);
    for (const other of [...this.#objects.values()])
      if (other.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid)) this.remove(other);
  }

  #commit(before: KubeObject | undefined, after: KubeObject | undefined): void {
    const object = after ?? before;
    if (!object) return;
    if (after) this.#objects.set(keyOf(after), after);
    else this.#objects.delete(keyOf(object));
    this.log.push(`${after ? 'put' : 'delete'} ${object.kind} ${object.metadata.name}`);
    const { group, resource } = typeOf(object);
    this.#undelivered.push({ group, resource, ...(before ? { before } : {}), ...(after ? { after } : {}) });
    this.#deliver();
  }

  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (let change = this.#undelivered.shift(); change; change = this.#undelivered.shift())
      for (const listener of this.#listeners) listener(change);
    this.#delivering = false;
  }
}

const typeOf = (object: KubeObject): { group: string; resource: string } => ({
  group: splitApiVersion(object.apiVersion).group,
  resource: `${object.kind.toLowerCase()}s`,
});

function keyOf(object: KubeObject): string {
  const { group, resource } = typeOf(object);
  return `${group}/${resource}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
