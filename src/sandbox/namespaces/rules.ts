// Namespaces: what may be created in one, which may not be deleted, what the server adds to one.

import { formatTime } from '../../kit/clock.ts';
import type { JsonObject } from '../../kit/json.ts';
import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { forbidden, NAMESPACES, notFound } from '../http/status-error.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';

export const NAMESPACE_ID = { id: 'namespaces', group: '', resource: 'namespaces' };
export const INITIAL_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);

/** A create needs a namespace that exists and is not on its way out. */
export function checkNamespace(core: Core, kind: ResourceKind, namespace: string, name: string): void {
  const found = core.store.collection(NAMESPACE_ID).get(namespace);
  if (!found) throw notFound(NAMESPACES, namespace);
  if (found.object.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const message = `namespace ${namespace} is being terminated`;
  throw forbidden(kind, name, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
}

export function checkNamespaceDelete(name: string): void {
  if (PROTECTED.has(name)) throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
}

/** What the server adds to a namespace on creation. */
export function prepareNamespace(object: KubeObject): KubeObject {
  const { name = '', labels } = object.metadata;
  const spec: JsonObject = isJsonObject(object['spec']) ? object['spec'] : {};
  const finalizers = isJsonArray(spec['finalizers']) ? spec['finalizers'] : [];
  return {
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } },
    spec: { ...spec, finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] },
    status: { phase: 'Active' },
  };
}

/** What an update of a namespace can't change: its finalizers of spec, the label with its name. */
export function keepNamespace(before: KubeObject, after: KubeObject): KubeObject {
  const labels = { ...after.metadata.labels, 'kubernetes.io/metadata.name': before.metadata.name ?? '' };
  return { ...after, metadata: { ...after.metadata, labels }, spec: before['spec'] };
}

/** Its contents are gone: whoever emptied it has taken the last finalizer off spec. */
export function isFinalized(namespace: KubeObject): boolean {
  const { finalizers }: JsonObject = isJsonObject(namespace['spec']) ? namespace['spec'] : {};
  return !isJsonArray(finalizers) || finalizers.length === 0;
}

/** The first revision of a deleted namespace: it waits for its contents. */
export function terminatingNamespace(object: KubeObject, now: number): KubeObject {
  return {
    ...object,
    metadata: { ...object.metadata, deletionTimestamp: formatTime(now) },
    status: { phase: 'Terminating' },
  };
}
