// Pod: what admission adds, and the few things that may be changed of one.

import { type JsonObject, jsonEqual, type MutableJsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import type { Core } from '../../core.ts';
import { forbidden } from '../../http/status-error.ts';
import { goDiff } from '../go-diff.ts';
import { goStruct } from '../go-struct.ts';
import { fields, items, number, present, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkPodSpec } from './pod-spec.ts';
import { qosClass } from './qos.ts';
import { checkTolerations } from './scheduling.ts';
import { podWarnings } from './warnings.ts';

const PODS = { group: '', resource: 'pods' };
const SYSTEM_CLASSES: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};
const UPDATABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const specOf = (pod: KubeObject): JsonObject => fields(pod['spec']);

function create(core: Core, pod: KubeObject): KubeObject {
  const admitted = withTolerations(withPriority(core, pod, withGrace(specOf(pod))));
  if (present(admitted['overhead'])) {
    const why = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
    throw forbidden(PODS, pod.metadata.name ?? '', why);
  }
  const conditions = items(admitted['schedulingGates']).length > 0 ? { conditions: [GATED] } : {};
  return { ...pod, spec: admitted, status: { phase: 'Pending', ...conditions, qosClass: qosClass(admitted) } };
}

const GATED = {
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: null,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** Less than no time to end is one second. */
function withGrace(spec: JsonObject): JsonObject {
  return number(spec['terminationGracePeriodSeconds']) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly preemption: string;
}

function withPriority(core: Core, pod: KubeObject, spec: JsonObject): JsonObject {
  const refuse = (why: string): Error => forbidden(PODS, pod.metadata.name ?? '', why);
  const given = text(spec['priorityClassName']);
  const found = given === '' ? globalPriority(core) : priorityOf(core, given);
  if (!found) throw refuse(`no PriorityClass with name ${given} was found`);
  const [value, preemption] = [spec['priority'], text(spec['preemptionPolicy'])];
  const computed = 'must not be provided in pod spec; priority admission controller computed';
  if (present(value) && number(value) !== found.value) {
    throw refuse(
      `the integer value of priority (${number(value)}) ${computed} ${found.value} from the given PriorityClass name`,
    );
  }
  if (preemption !== '' && preemption !== found.preemption) {
    throw refuse(
      `the string value of PreemptionPolicy (${preemption}) ${computed} ${found.preemption} from the given PriorityClass name`,
    );
  }
  const named = found.name === '' ? {} : { priorityClassName: found.name };
  return { ...spec, ...named, priority: found.value, preemptionPolicy: found.preemption };
}

function priorityOf(core: Core, name: string): Priority | undefined {
  const system = SYSTEM_CLASSES[name];
  if (system !== undefined) return { name, value: system, preemption: 'PreemptLowerPriority' };
  const found = core.store.collection({ id: 'priorityclasses.scheduling.k8s.io' }).get(name)?.object;
  if (!found) return undefined;
  return { name, value: number(found['value']), preemption: text(found['preemptionPolicy']) || 'PreemptLowerPriority' };
}

/** Of pods that name no class: the one that says so of itself, the lowest if there are several. */
function globalPriority(core: Core): Priority {
  let lowest: Priority = { name: '', value: 0, preemption: 'PreemptLowerPriority' };
  for (const { object } of core.store.collection({ id: 'priorityclasses.scheduling.k8s.io' }).range('')) {
    if (object['globalDefault'] !== true) continue;
    const value = number(object['value']);
    const preemption = text(object['preemptionPolicy']) || 'PreemptLowerPriority';
    if (lowest.name === '' || value < lowest.value) lowest = { name: object.metadata.name ?? '', value, preemption };
  }
  return lowest;
}

/** Every pod bears five minutes of a node that is lost, unless it says how it takes it. */
function withTolerations(spec: JsonObject): JsonObject {
  const given = items(spec['tolerations']);
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !given.some((toleration) => tolerates(toleration, key)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return added.length === 0 ? spec : { ...spec, tolerations: [...given, ...added] };
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const effect = text(toleration['effect']);
  const sameKey = toleration['key'] === key || text(toleration['key']) === '';
  return sameKey && (effect === '' || effect === 'NoExecute');
}

function update(_core: Core, before: KubeObject, after: KubeObject): KubeObject {
  const spec = specOf(after);
  const kept: MutableJsonObject = { ...spec };
  // What admission has added stays where an update does not say otherwise.
  for (const name of ['priority', 'preemptionPolicy', 'priorityClassName']) {
    if (kept[name] === undefined && specOf(before)[name] !== undefined) kept[name] = specOf(before)[name];
  }
  return { ...after, spec: withTolerations(kept) };
}

function checkPod(report: Report, pod: KubeObject): void {
  const spec = specOf(pod);
  checkPodSpec(report, 'spec', spec, true);
  if (text(spec['serviceAccountName']) === '') checkTokens(report, spec);
  for (const list of ['containers', 'initContainers']) {
    for (const [index, container] of items(spec[list]).entries()) {
      const image = text(container['image']);
      if (image.trim() !== image)
        report.invalid(`spec.${list}[${index}].image`, image, 'must not have leading or trailing whitespace');
    }
  }
}

function checkTokens(report: Report, spec: JsonObject): void {
  for (const [v, volume] of items(spec['volumes']).entries()) {
    for (const [s, source] of items(fields(volume['projected'])['sources']).entries()) {
      const path = `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`;
      if (present(source['serviceAccountToken']))
        report.forbidden(path, 'must not be specified when serviceAccountName is not set');
    }
  }
}

function checkNew(report: Report, pod: KubeObject): void {
  checkPod(report, pod);
  const spec = specOf(pod);
  if (items(spec['ephemeralContainers']).length > 0)
    report.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  if (text(spec['nodeName']) !== '' && items(spec['schedulingGates']).length > 0)
    report.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  report.warnings.push(...podWarnings('spec', spec));
}

function checkUpdate(report: Report, before: KubeObject, after: KubeObject): void {
  checkPod(report, after);
  const [old, now] = [specOf(before), specOf(after)];
  for (const list of ['containers', 'initContainers']) {
    if (items(now[list]).length !== items(old[list]).length) {
      report.forbidden(`spec.${list}`, 'pod updates may not add or remove containers');
      return;
    }
    for (const [index, container] of items(now[list]).entries()) {
      if (text(container['image']) === '') report.required(`spec.${list}[${index}].image`);
    }
  }
  if (!checkDeadline(report, old, now)) return;
  checkAddedTolerations(report, old, now);
  const munged = withUpdatable(old, now);
  if (jsonEqual(munged, old)) return;
  const difference = goDiff(goStruct('core.PodSpec', old), goStruct('core.PodSpec', munged));
  report.forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}\n${difference}`);
}

/** False when the server looks no further. */
function checkDeadline(report: Report, old: JsonObject, now: JsonObject): boolean {
  const path = 'spec.activeDeadlineSeconds';
  const [before, after] = [old['activeDeadlineSeconds'], now['activeDeadlineSeconds']];
  if (present(after)) {
    if (!present(before) || number(before) >= number(after)) return true;
    report.invalid(path, after, 'must be less than or equal to previous value');
    return false;
  }
  if (present(before)) report.invalid(path, null, 'must not update from a positive integer to nil value');
  return true;
}

function checkAddedTolerations(report: Report, old: JsonObject, now: JsonObject): void {
  const without = ({ tolerationSeconds: _seconds, ...rest }: JsonObject): JsonObject => rest;
  const kept = items(old['tolerations']).every((toleration) =>
    items(now['tolerations']).some((candidate) => jsonEqual(without(candidate), without(toleration))),
  );
  if (kept) {
    checkTolerations(report, 'spec.tolerations', items(now['tolerations']));
    return;
  }
  report.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds');
}

/** The new spec with all that may change put back. */
function withUpdatable(old: JsonObject, now: JsonObject): JsonObject {
  const result: MutableJsonObject = { ...now };
  for (const list of ['containers', 'initContainers']) {
    if (!present(now[list])) continue;
    result[list] = items(now[list]).map((container, index) => {
      const image = items(old[list])[index]?.['image'];
      return { ...container, ...(image === undefined ? {} : { image }) };
    });
  }
  for (const name of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) {
    if (present(old[name])) result[name] = old[name];
    else delete result[name];
  }
  // The scheduler's, whose binding is an update here.
  if (text(old['nodeName']) === '' && items(old['schedulingGates']).length === 0) return result;
  return result;
}

export const POD: KindRules = { create, update, check: checkNew, checkUpdate };
