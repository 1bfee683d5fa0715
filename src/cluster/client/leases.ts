// Leases as coordination.k8s.io/v1 has them.

import { getOwn, isJsonArray, isJsonObject, type JsonObject } from '../../kit/json.ts';
import { isApiError } from '../../ports/errors.ts';
import type { LeaseRecord, Leases } from '../../ports/leases.ts';
import type { Caller } from './caller.ts';

export function createLeases(caller: Caller): Leases {
  return {
    async getLease(namespace, name, signal) {
      try {
        return recordOf(
          await caller.json({ method: 'GET', path: pathOf(namespace, name), ...(signal ? { signal } : {}) }),
        );
      } catch (error) {
        if (isApiError(error, 404)) return undefined;
        throw error;
      }
    },
    async putLease(record, signal) {
      const { namespace, name, resourceVersion } = record;
      const call = { body: bodyOf(record), ...(signal ? { signal } : {}) };
      if (resourceVersion === undefined)
        return recordOf(await caller.json({ ...call, method: 'POST', path: pathOf(namespace) }));
      return recordOf(await caller.json({ ...call, method: 'PUT', path: pathOf(namespace, name) }));
    },
    async listLeases(namespace, labelSelector, signal) {
      const call = { query: { labelSelector }, ...(signal ? { signal } : {}) };
      const { items } = await caller.json({ ...call, method: 'GET', path: pathOf(namespace) });
      return (isJsonArray(items) ? items : []).filter(isJsonObject).map(recordOf);
    },
    async deleteLease({ namespace, name, resourceVersion }, signal) {
      const preconditions = resourceVersion === undefined ? {} : { preconditions: { resourceVersion } };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...preconditions };
      const call = { body, ...(signal ? { signal } : {}) };
      try {
        await caller.json({ ...call, method: 'DELETE', path: pathOf(namespace, name) });
      } catch (error) {
        if (!isApiError(error, 404)) throw error;
      }
    },
  };
}

function pathOf(namespace: string, name?: string): string {
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
  return name === undefined ? leases : `${leases}/${encodeURIComponent(name)}`;
}

function bodyOf(record: LeaseRecord): JsonObject {
  const { name, namespace, resourceVersion, labels, annotations } = record;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...{ name, namespace },
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: {
      holderIdentity: record.holder,
      leaseDurationSeconds: record.durationSeconds,
      acquireTime: record.acquireTime,
      renewTime: record.renewTime,
      leaseTransitions: record.transitions,
    },
  };
}

function recordOf(lease: JsonObject): LeaseRecord {
  const metadata = objectIn(lease, 'metadata');
  const spec = objectIn(lease, 'spec');
  const text = (of: JsonObject, key: string): string => {
    const value = getOwn(of, key);
    return typeof value === 'string' ? value : '';
  };
  const count = (key: string): number => {
    const value = getOwn(spec, key);
    return typeof value === 'number' ? value : 0;
  };
  const labels = textsIn(metadata, 'labels');
  const annotations = textsIn(metadata, 'annotations');
  return {
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    name: text(metadata, 'name'),
    namespace: text(metadata, 'namespace'),
    resourceVersion: text(metadata, 'resourceVersion'),
    holder: text(spec, 'holderIdentity'),
    durationSeconds: count('leaseDurationSeconds'),
    acquireTime: text(spec, 'acquireTime'),
    renewTime: text(spec, 'renewTime'),
    transitions: count('leaseTransitions'),
  };
}

function objectIn(of: JsonObject, key: string): JsonObject {
  const value = getOwn(of, key);
  return isJsonObject(value) ? value : {};
}

function textsIn(of: JsonObject, key: string): Record<string, string> | undefined {
  const value = getOwn(of, key);
  if (!isJsonObject(value)) return undefined;
  const texts = Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []));
  return Object.fromEntries(texts) as Record<string, string>;
}
