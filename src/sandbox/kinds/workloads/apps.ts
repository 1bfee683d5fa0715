// Deployment, ReplicaSet, StatefulSet, DaemonSet.

import { type JsonObject, type JsonValue, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { goStruct } from '../go-struct.ts';
import { checkLabels, checkSelector, isEmptySelector, labelTexts } from '../names.ts';
import { fields, IMMUTABLE, items, number, optional, present, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkClaimSpec } from '../storage/claim-spec.ts';
import { checkAtMostAll, checkNumberOrPercent, isNothing } from './scaling-values.ts';
import { checkPodTemplate, checkSelected, isUsable, NO_MATCH, shownLabels, templateLabels } from './template.ts';

const specOf = (object: KubeObject): JsonObject => fields(object['spec']);

/** `broken` is what the server says of a selector that it can't use; absent: it says nothing. */
function checkSelectorOf(report: Report, spec: JsonObject, word: string): void {
  const { selector } = spec;
  if (!present(selector)) {
    report.required('spec.selector');
    return;
  }
  checkSelector(report, 'spec.selector', selector);
  if (isEmptySelector(selector)) report.invalid('spec.selector', selector, `empty selector is invalid for ${word}`);
}

function checkTemplateOf(report: Report, spec: JsonObject, named: string, broken: string): void {
  const { selector } = spec;
  if (isUsable(selector)) {
    checkSelected(report, spec);
    checkPodTemplate(report, spec, named);
    return;
  }
  const message = `Invalid value: ${JSON.stringify(shownSelector(selector))}${broken}`;
  report.add('spec.selector', 'FieldValueInvalid', message);
}

/** Maps of labels are shown with their keys in order. */
function shownSelector(selector: JsonValue | undefined): JsonValue {
  const given = fields(selector);
  const labels = shownLabels(fields(given['matchLabels']));
  return { ...given, ...(labels === null ? {} : { matchLabels: labels }) };
}

function checkDeployment(report: Report, object: KubeObject): void {
  const spec = specOf(object);
  report.notNegative('spec.replicas', spec['replicas']);
  checkSelectorOf(report, spec, 'deployment');
  checkTemplateOf(report, spec, 'ReplicaSet', ': invalid label selector');
  checkDeploymentStrategy(report, fields(spec['strategy']));
  report.notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  report.notNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']);
  const deadline = spec['progressDeadlineSeconds'];
  report.notNegative('spec.progressDeadlineSeconds', deadline);
  if (present(deadline) && number(deadline) <= number(spec['minReadySeconds']))
    report.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
}

function checkDeploymentStrategy(report: Report, strategy: JsonObject): void {
  const rolling = optional(strategy['rollingUpdate']);
  const path = 'spec.strategy.rollingUpdate';
  if (strategy['type'] === 'Recreate') {
    if (rolling) report.forbidden(path, "may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy['type'] === 'RollingUpdate') {
    if (!rolling) {
      report.required(path, 'this should be defaulted and never be nil');
      return;
    }
    const { maxUnavailable, maxSurge } = rolling;
    checkNumberOrPercent(report, `${path}.maxUnavailable`, maxUnavailable);
    checkNumberOrPercent(report, `${path}.maxSurge`, maxSurge);
    if (isNothing(maxUnavailable) && isNothing(maxSurge))
      report.invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    checkAtMostAll(report, `${path}.maxUnavailable`, maxUnavailable);
  } else {
    const shown = JSON.stringify({ Type: text(strategy['type']), RollingUpdate: null });
    const message = `Unsupported value: ${shown}: supported values: "Recreate", "RollingUpdate"`;
    report.add('spec.strategy', 'FieldValueNotSupported', message);
  }
}

function checkSelectorKept(report: Report, before: KubeObject, after: KubeObject): void {
  const { selector } = specOf(after);
  if (!jsonEqual(selector, specOf(before)['selector'])) report.invalid('spec.selector', selector ?? null, IMMUTABLE);
}

const COUNTS = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];

function checkDeploymentStatus(report: Report, _before: KubeObject, after: KubeObject): void {
  const status = fields(after['status']);
  report.notNegative('status.observedGeneration', status['observedGeneration']);
  for (const name of COUNTS) report.notNegative(`status.${name}`, status[name]);
  checkCounts(report, status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']);
}

/** No count is above the number of replicas, nor more available than ready. */
function checkCounts(report: Report, status: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    if (number(status[name]) > number(status['replicas']))
      report.invalid(`status.${name}`, number(status[name]), 'cannot be greater than status.replicas');
  }
  if (number(status['availableReplicas']) > number(status['readyReplicas']))
    report.invalid(
      'status.availableReplicas',
      number(status['availableReplicas']),
      'cannot be greater than readyReplicas',
    );
}

export const DEPLOYMENT: KindRules = {
  check: checkDeployment,
  checkUpdate: (report, before, after) => {
    checkDeployment(report, after);
    checkSelectorKept(report, before, after);
  },
  checkStatus: checkDeploymentStatus,
};

function checkReplicaSet(report: Report, object: KubeObject): void {
  const spec = specOf(object);
  report.notNegative('spec.replicas', spec['replicas']);
  report.notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  checkSelectorOf(report, spec, 'deployment');
  checkTemplateOf(report, spec, 'ReplicaSet', ': invalid label selector');
}

export const REPLICA_SET: KindRules = {
  check: checkReplicaSet,
  checkUpdate: (report, before, after) => {
    checkReplicaSet(report, after);
    checkSelectorKept(report, before, after);
  },
  checkStatus: (report, _before, after) => {
    const status = fields(after['status']);
    for (const name of ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'])
      report.notNegative(`status.${name}`, status[name]);
    checkCounts(report, status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']);
  },
};

const UPDATABLE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const FIXED_FIELDS = ['serviceName', 'selector', 'podManagementPolicy', 'volumeClaimTemplates'];

function checkStatefulSet(report: Report, object: KubeObject, isNew = true): void {
  const spec = specOf(object);
  const policy = text(spec['podManagementPolicy']);
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    report.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'");
  checkStatefulStrategy(report, fields(spec['updateStrategy']));
  const retention = fields(spec['persistentVolumeClaimRetentionPolicy']);
  for (const name of ['whenDeleted', 'whenScaled'])
    report.oneOf(`spec.persistentVolumeClaimRetentionPolicy.${name}`, retention[name], ['Retain', 'Delete']);
  if (isNew) checkClaimTemplates(report, items(spec['volumeClaimTemplates']));
  report.notNegative('spec.replicas', spec['replicas']);
  report.notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  report.notNegative('spec.ordinals.start', fields(spec['ordinals'])['start']);
  const service = text(spec['serviceName']);
  if (isNew && service !== '') report.invalidBy('spec.serviceName', service, labelTexts(service));
  checkSelectorOf(report, spec, 'statefulset');
  checkTemplateOf(report, withClaimVolumes(spec), 'StatefulSet', '');
  // The server looks at these labels a second time.
  checkLabels(report, 'spec.template.labels', templateLabels(spec));
  if (number(spec['revisionHistoryLimit']) < 0) {
    const advice = 'a negative value retains all historical revisions; a value >= 0 is recommended';
    report.warnings.push(`spec.revisionHistoryLimit: ${advice}`);
  }
}

function checkClaimTemplates(report: Report, claims: readonly JsonObject[]): void {
  for (const [index, claim] of claims.entries())
    checkClaimSpec(report, `spec.volumeClaimTemplates[${index}].spec`, fields(claim['spec']));
}

/** Containers may mount what the claim templates make. */
function withClaimVolumes(spec: JsonObject): JsonObject {
  const claims = items(spec['volumeClaimTemplates']);
  if (claims.length === 0) return spec;
  const template = fields(spec['template']);
  const pod = fields(template['spec']);
  const names = claims.map((claim) => text(fields(claim['metadata'])['name']));
  const made = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = items(pod['volumes']).filter((volume) => !names.includes(text(volume['name'])));
  return { ...spec, template: { ...template, spec: { ...pod, volumes: [...made, ...others] } } };
}

function checkStatefulStrategy(report: Report, strategy: JsonObject): void {
  const rolling = optional(strategy['rollingUpdate']);
  const path = 'spec.updateStrategy';
  if (strategy['type'] === 'OnDelete') {
    const shown = goStruct('apps.RollingUpdateStatefulSetStrategy', rolling ?? {});
    if (rolling) report.invalid(`${path}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (strategy['type'] === 'RollingUpdate') {
    if (!rolling) return;
    report.notNegative(`${path}.rollingUpdate.partition`, rolling['partition']);
    const { maxUnavailable } = rolling;
    if (!present(maxUnavailable)) return;
    checkNumberOrPercent(report, `${path}.rollingUpdate.maxUnavailable`, maxUnavailable);
    if (isNothing(maxUnavailable))
      report.invalid(`${path}.rollingUpdate.maxUnavailable`, maxUnavailable, 'cannot be 0');
    checkAtMostAll(report, `${path}.rollingUpdate.maxUnavailable`, maxUnavailable);
  } else {
    report.invalid(path, goStruct('apps.StatefulSetUpdateStrategy', strategy), "must be 'RollingUpdate' or 'OnDelete'");
  }
}

/** maxUnavailable is not for every server: this one is as it comes, without. */
function withoutMaxUnavailable(object: KubeObject): KubeObject {
  const spec = specOf(object);
  const strategy = fields(spec['updateStrategy']);
  const rolling = optional(strategy['rollingUpdate']);
  if (!present(rolling?.['maxUnavailable'])) return object;
  const { maxUnavailable: _dropped, ...rest } = rolling ?? {};
  return { ...object, spec: { ...spec, updateStrategy: { ...strategy, rollingUpdate: rest } } };
}

export const STATEFUL_SET: KindRules = {
  create: (_core, object) => withoutMaxUnavailable(object),
  update: (_core, _before, object) => withoutMaxUnavailable(object),
  check: (report, object) => checkStatefulSet(report, object),
  checkUpdate: (report, before, after) => {
    checkStatefulSet(report, after, false);
    const [old, now] = [specOf(before), specOf(after)];
    if (FIXED_FIELDS.some((name) => !jsonEqual(old[name], now[name]))) report.forbidden('spec', UPDATABLE);
  },
};

function checkDaemonSet(report: Report, object: KubeObject): void {
  const spec = specOf(object);
  const { selector } = spec;
  if (present(selector)) checkSelector(report, 'spec.selector', selector);
  if (isUsable(selector)) checkDaemonLabels(report, spec);
  if (present(selector) && isEmptySelector(selector))
    report.invalid('spec.selector', selector, 'empty selector is invalid for daemonset');
  checkPodTemplate(report, spec, 'DaemonSet');
  report.notNegative('spec.minReadySeconds', spec['minReadySeconds']);
  checkDaemonStrategy(report, fields(spec['updateStrategy']));
  report.notNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']);
}

function checkDaemonLabels(report: Report, spec: JsonObject): void {
  if (present(spec['selector']) && isEmptySelector(spec['selector'])) return;
  const before = report.problems.length;
  checkSelected(report, spec);
  if (report.problems.length > before) return;
  if (!present(spec['selector']))
    report.invalid('spec.template.metadata.labels', shownLabels(templateLabels(spec)), NO_MATCH);
}

function checkDaemonStrategy(report: Report, strategy: JsonObject): void {
  const path = 'spec.updateStrategy';
  if (strategy['type'] === 'OnDelete') return;
  if (strategy['type'] !== 'RollingUpdate') {
    const shown = JSON.stringify(goStruct('apps.DaemonSetUpdateStrategy', strategy));
    const message = `Unsupported value: ${shown}: supported values: "RollingUpdate", "OnDelete"`;
    report.add(path, 'FieldValueNotSupported', message);
    return;
  }
  const { maxUnavailable, maxSurge } = fields(strategy['rollingUpdate']);
  const at = `${path}.rollingUpdate`;
  checkNumberOrPercent(report, `${at}.maxUnavailable`, maxUnavailable);
  checkNumberOrPercent(report, `${at}.maxSurge`, maxSurge);
  checkAtMostAll(report, `${at}.maxUnavailable`, maxUnavailable);
  checkAtMostAll(report, `${at}.maxSurge`, maxSurge);
  if (!isNothing(maxUnavailable) && !isNothing(maxSurge))
    report.invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (isNothing(maxUnavailable) && isNothing(maxSurge))
    report.required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
}

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateGeneration(object: KubeObject): number {
  const given = object.metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^\d+$/.test(given) ? Number(given) : 0;
}

/** The count of templates that were given, kept in an annotation. */
function withTemplateGeneration(object: KubeObject, count: number): KubeObject {
  const annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: String(count) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The server's own type has the count as a field, which is 0 where the annotation is missing. */
export const withOwnGeneration = (object: KubeObject): KubeObject =>
  withTemplateGeneration(object, templateGeneration(object));

export const DAEMON_SET: KindRules = {
  create: (_core, object) => withTemplateGeneration(object, Math.max(1, templateGeneration(object))),
  update: (_core, before, after) => {
    const same = jsonEqual(specOf(before)['template'], specOf(after)['template']);
    return withTemplateGeneration(after, templateGeneration(before) + (same ? 0 : 1));
  },
  check: checkDaemonSet,
  checkUpdate: (report, before, after) => {
    checkDaemonSet(report, after);
    checkSelectorKept(report, before, after);
  },
};
