// What is done to a pod by posting to it: evicted (kubectl drain), bound to a node (a scheduler).
// Not here: disruption budgets do not hold an eviction back.

import { formatTime } from '../../kit/clock.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { deleteOptions } from '../http/query.ts';
import { badRequest, conflict, internal, notFound } from '../http/status-error.ts';
import { deleteObject } from '../verbs/delete.ts';
import { type ObjectTarget, targetKey } from '../verbs/target.ts';

interface Posted {
  readonly body: KubeObject;
  readonly dryRun: boolean;
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

export function evictPod(core: Core, target: ObjectTarget, { body, dryRun }: Posted): void {
  if (body.metadata.name !== target.name) throw badRequest('name in URL does not match name in Eviction object');
  const options = deleteOptions(new Map(), body['deleteOptions'] ?? undefined);
  deleteObject(core, target, { ...options, dryRun: dryRun || options.dryRun });
}

/** Not an update: what an update of a pod may not change, this does. */
export function bindPod(core: Core, target: ObjectTarget, { body, dryRun }: Posted): void {
  if (body.metadata.name !== target.name) throw badRequest('name in URL does not match name in Binding object');
  const node = objectOf(body['target'])['name'];
  if (typeof node !== 'string' || node === '') throw internal('target.name: Required value');
  const pod = core.store.collection(target.kind).get(targetKey(target))?.object;
  if (!pod) throw notFound(target.kind, target.name);
  const bound = withStatus(boundTo(node, pod), formatTime(core.clock.now()));
  if (!dryRun) core.store.put(target.kind, bound);
}

function boundTo(node: string, pod: KubeObject): KubeObject {
  const { name = '' } = pod.metadata;
  const spec = objectOf(pod['spec']);
  if (spec['nodeName']) {
    const why = `pod ${name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`;
    throw conflict({ group: '', resource: 'pods/binding' }, name, why);
  }
  return { ...pod, spec: { ...spec, nodeName: node } };
}

function withStatus(pod: KubeObject, lastTransitionTime: string): KubeObject {
  const status = objectOf(pod['status']);
  const others = isJsonArray(status['conditions']) ? status['conditions'] : [];
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  const conditions = [...others.filter((one) => objectOf(one)['type'] !== 'PodScheduled'), scheduled];
  return { ...pod, status: { ...status, conditions } };
}
