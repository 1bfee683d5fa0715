// The store as the workload simulator sees it (workload-api.ts): the same verbs that requests go through, without HTTP.

import { jsonEqual } from '../kit/json.ts';
import { isDeleting, type KubeObject } from '../model/object.ts';
import { splitApiVersion } from '../model/resource.ts';
import type { Core } from './core.ts';
import { StatusError } from './http/status-error.ts';
import { cleanMetadata, contentFields, withMetadata } from './meta/metadata.ts';
import { hasStatus } from './registry/resource-kind.ts';
import { type CommittedChange, objectKey } from './store/store.ts';
import { normalizeBuiltIn } from './typed/normalize.ts';
import { createObject } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import type { ObjectTarget } from './verbs/target.ts';
import { type UpdateOptions, updateObject } from './verbs/update.ts';
import type { WorkloadApi, WorkloadChange } from './workload-api.ts';

/** Who the workload controllers are to the server. */
const MANAGER = 'kube-controller-manager';

interface Change {
  make(current: KubeObject): KubeObject;
  readonly options: UpdateOptions;
}

export class StoreWorkloadApi implements WorkloadApi {
  readonly #core: Core;
  readonly #settle: () => void;
  readonly #listeners: ((change: WorkloadChange) => void)[] = [];
  readonly #undelivered: WorkloadChange[] = [];

  /** `settle` is called after each write: it collects garbage and calls deliver(). */
  constructor(core: Core, settle: () => void) {
    this.#core = core;
    this.#settle = settle;
  }

  list(group: string, resource: string, namespace?: string): readonly KubeObject[] {
    const kind = this.#core.registry.find(group, resource);
    if (!kind) return [];
    const items = this.#core.store.collection(kind).range(namespace === undefined ? '' : `${namespace}/`);
    return Array.from(items, (item) => item.object);
  }

  get(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const kind = this.#core.registry.find(group, resource);
    return kind && this.#core.store.collection(kind).get(objectKey(namespace, name))?.object;
  }

  create(object: KubeObject): KubeObject {
    const { stored } = this.#write(() => ({
      stored: createObject(this.#core, this.#target(object), normalized(object), { manager: MANAGER }),
    }));
    return stored.object;
  }

  updateStatus(object: KubeObject): void {
    const target = this.#target(object);
    const options = { trusted: true, ...(hasStatus(target.kind) ? { subresource: 'status' as const } : {}) };
    this.#change(object, target, { make: (current) => ({ ...current, status: object['status'] }), options });
  }

  update(object: KubeObject): void {
    const fresh = normalized(withMetadata(object, { resourceVersion: undefined }));
    const target = this.#target(object);
    const current = this.#current(object, target);
    const onlyMetadata = current && jsonEqual(contentFields(current, false), contentFields(fresh, false));
    // What a controller annotates does not count as a change (a client's annotation on a Deployment does), nor does the
    // binding of a pod to its node.
    const keepGeneration = onlyMetadata === true || target.kind.id === 'pods';
    this.#change(object, target, { make: () => fresh, options: { keepGeneration, trusted: true } });
  }

  remove(object: KubeObject): void {
    const target = this.#target(object);
    if (this.#current(object, target)?.metadata.uid !== object.metadata.uid) return;
    // What is being deleted keeps the policy with which that was begun.
    const propagation = isDeleting(object) ? undefined : 'Background';
    this.#write(() => deleteObject(this.#core, target, { propagation, gracePeriodSeconds: 0 }));
  }

  onChange(listener: (change: WorkloadChange) => void): void {
    this.#listeners.push(listener);
  }

  note(change: CommittedChange): void {
    if (this.#listeners.length === 0) return;
    this.#undelivered.push({
      group: change.kind.group,
      resource: change.kind.resource,
      ...(change.before ? { before: change.before.object } : {}),
      ...(change.after ? { after: change.after.object } : {}),
    });
  }

  /** Tells the listeners of one change; false when there is none. */
  step(): boolean {
    const change = this.#undelivered.shift();
    if (!change) return false;
    for (const listener of this.#listeners) listener(change);
    return true;
  }

  #change(object: KubeObject, target: ObjectTarget, change: Change): void {
    const current = this.#current(object, target);
    if (!current || current.metadata.uid !== object.metadata.uid) return;
    const options = { ...change.options, manager: MANAGER };
    this.#write(() => updateObject(this.#core, target, () => normalized(change.make(current)), options));
  }

  #current(object: KubeObject, target: ObjectTarget): KubeObject | undefined {
    const key = objectKey(object.metadata.namespace, object.metadata.name ?? '');
    return this.#core.store.collection(target.kind).get(key)?.object;
  }

  #write<T>(write: () => T): T {
    const result = write();
    this.#settle();
    return result;
  }

  #target(object: KubeObject): ObjectTarget {
    const { group, version } = splitApiVersion(object.apiVersion);
    const kind = this.#core.registry.findKind(group, object.kind);
    if (!kind)
      throw new StatusError(404, `no kind ${object.kind} is served in ${object.apiVersion}`, { reason: 'NotFound' });
    const { name = '', namespace } = object.metadata;
    return { kind, version, name, ...(namespace === undefined ? {} : { namespace }) };
  }
}

/** As a client's object is read: a later write of the same content must find nothing changed. */
function normalized(object: KubeObject): KubeObject {
  const read = normalizeBuiltIn(object.apiVersion, object.kind, object);
  return read ? { ...(read.object as KubeObject), metadata: cleanMetadata(object.metadata) } : object;
}
