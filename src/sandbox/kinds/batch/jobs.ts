// Job, and what a CronJob makes Jobs of.

import { type JsonObject, type JsonValue, jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import { goStruct } from '../go-struct.ts';
import { checkSelector, labelTexts, selects } from '../names.ts';
import { checkTemplate } from '../pods/pod-spec.ts';
import { fields, IMMUTABLE, number, optional, present, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { NO_MATCH, shownLabels, templateLabels } from '../workloads/template.ts';
import { checkFailurePolicy } from './failure-policy.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];
const MODES = ['NonIndexed', 'Indexed'];
/** What an update may not change, in the order in which it is looked at, with selector and template before. */
const FIXED = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'];

function create(object: KubeObject): KubeObject {
  const spec = fields(object['spec']);
  if (spec['manualSelector'] === true) return { ...object, status: {} };
  const template = fields(spec['template']);
  const metadata = fields(template['metadata']);
  const { uid = '', name = '' } = object.metadata;
  const labels = {
    'job-name': name,
    [NAME_LABEL]: name,
    'controller-uid': uid,
    [UID_LABEL]: uid,
    ...fields(metadata['labels']),
  };
  const selector = fields(spec['selector']);
  const matchLabels = { [UID_LABEL]: uid, ...fields(selector['matchLabels']) };
  const named = withGeneratedLabels(object, fields(metadata['labels']), labels);
  const made = {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...metadata, labels } },
  };
  return { ...named, spec: made, status: {} };
}

/** A Job without labels of its own has its template's, and those are the generated ones as well. */
function withGeneratedLabels(job: KubeObject, given: JsonObject, generated: JsonObject): KubeObject {
  const own = job.metadata.labels ?? {};
  // With a name that no label can hold the Job is refused for its template's labels alone.
  if ((job.metadata.name ?? '').length > 63) return job;
  if (Object.keys(own).length > 0 && !jsonEqual(own, given)) return job;
  return { ...job, metadata: { ...job.metadata, labels: generated as Record<string, string> } };
}

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  if (spec['manualSelector'] !== true) checkGenerated(report, object, spec);
  checkWholeSpec(report, spec);
  checkHostname(report, object, spec);
}

/** The selector is the server's to write, unless it was told otherwise. */
function checkGenerated(report: Report, object: KubeObject, spec: JsonObject): void {
  const labels = templateLabels(spec);
  const { uid = '', name = '' } = object.metadata;
  for (const [key, value] of [
    ['controller-uid', uid],
    ['job-name', name],
    [UID_LABEL, uid],
    [NAME_LABEL, name],
  ] as const) {
    const path = `spec.template.metadata.labels`;
    if (!present(spec['selector'])) continue;
    if (labels[key] === undefined) report.required(`${path}[${key}]`, `must be '${value}'`);
    else if (labels[key] !== value) report.invalid(path, shownLabels(labels), `must be '${value}'`);
  }
  const selector = optional(spec['selector']);
  if (!selector) return;
  const expected = { matchLabels: { [UID_LABEL]: uid } };
  const legacy = { matchLabels: { 'controller-uid': uid } };
  if (jsonEqual(selector, expected) || jsonEqual(selector, legacy)) return;
  const shown = { ...selector, matchLabels: shownLabels(fields(selector['matchLabels'])) };
  report.invalid('spec.selector', shown, '`selector` not auto-generated');
}

function checkWholeSpec(report: Report, spec: JsonObject): void {
  checkJobSpec(report, 'spec', spec);
  if (!present(spec['selector'])) report.required('spec.selector');
  else checkSelector(report, 'spec.selector', spec['selector']);
  if (!selects(spec['selector'], templateLabels(spec)))
    report.invalid('spec.template.metadata.labels', shownLabels(templateLabels(spec)), NO_MATCH);
}

function checkHostname(report: Report, object: KubeObject, spec: JsonObject): void {
  const completions = number(spec['completions']);
  if (spec['completionMode'] !== 'Indexed' || completions <= 0) return;
  const name = object.metadata.name ?? '';
  const hostname = `${name}-${completions - 1}`;
  if (labelTexts(hostname).length > 0)
    report.invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`);
}

/** Also of the template of a CronJob, whose Jobs get their selectors later. */
export function checkJobSpec(report: Report, path: string, spec: JsonObject): void {
  for (const name of COUNTS) report.notNegative(`${path}.${name}`, spec[name]);
  if (present(spec['maxFailedIndexes']) && !present(spec['backoffLimitPerIndex']))
    report.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified');
  const manager = spec['managedBy'];
  if (present(manager)) checkManager(report, `${path}.managedBy`, text(manager));
  checkMode(report, path, spec);
  const failure = optional(spec['podFailurePolicy']);
  if (failure) checkFailurePolicy(report, `${path}.podFailurePolicy`, failure, spec);
  if (present(spec['successPolicy']) && spec['completionMode'] !== 'Indexed')
    report.invalid(`${path}.successPolicy`, spec['successPolicy'], 'requires indexed completion mode');
  const replacement = spec['podReplacementPolicy'];
  if (present(replacement)) {
    const supported = failure ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    report.oneOf(`${path}.podReplacementPolicy`, replacement, supported);
  }
  const template = fields(spec['template']);
  checkTemplate(report, `${path}.template`, template);
  checkRestarts(
    report,
    `${path}.template.spec.restartPolicy`,
    text(fields(template['spec'])['restartPolicy']),
    failure,
  );
}

function checkManager(report: Report, path: string, manager: string): void {
  const [domain = '', ...rest] = manager.split('/');
  if (rest.length === 0 || domain === '' || rest.join('/') === '' || qualifiedNameProblems(`${domain}/x`).length > 0)
    report.invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")');
  if (manager.length > 63) report.tooLong(path, 63);
}

function checkMode(report: Report, path: string, spec: JsonObject): void {
  // Jobs have one by default, the template of a CronJob may do without.
  const mode = text(spec['completionMode'] ?? 'NonIndexed');
  report.oneOf(`${path}.completionMode`, mode, MODES);
  const { completions, maxFailedIndexes, backoffLimitPerIndex } = spec;
  if (mode === 'Indexed') {
    if (!present(completions)) report.required(`${path}.completions`, 'when completion mode is Indexed');
    else if (present(maxFailedIndexes) && number(maxFailedIndexes) > number(completions))
      report.invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions');
  } else if (mode === 'NonIndexed') {
    const detail = 'requires indexed completion mode';
    if (present(backoffLimitPerIndex)) report.invalid(`${path}.backoffLimitPerIndex`, backoffLimitPerIndex, detail);
    if (present(maxFailedIndexes)) report.invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, detail);
  }
}

function checkRestarts(report: Report, path: string, policy: string, failure: JsonObject | undefined): void {
  if (policy === 'Always' || policy === '') report.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') report.unsupported(path, policy, ['OnFailure', 'Never']);
  else if (failure && policy !== 'Never')
    report.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
}

function checkUpdate(report: Report, before: KubeObject, after: KubeObject): void {
  const [old, now] = [fields(before['spec']), fields(after['spec'])];
  check(report, after);
  // The server looks at the spec twice, and tells what it finds twice.
  checkWholeSpec(report, now);
  checkCompletions(report, old, now);
  const fixed = (name: string, shown: JsonValue | undefined): void => report.invalid(`spec.${name}`, shown, IMMUTABLE);
  if (!jsonEqual(old['selector'], now['selector'])) fixed('selector', now['selector']);
  if (!jsonEqual(old['template'], comparableTemplate(before, old, now)))
    fixed('template', goStruct('core.PodTemplateSpec', fields(now['template'])));
  for (const name of FIXED) if (!jsonEqual(old[name], now[name])) fixed(name, now[name]);
}

/** The template with what may be changed while the Job is suspended and has not started put back. */
function comparableTemplate(before: KubeObject, old: JsonObject, now: JsonObject): JsonObject {
  const template = fields(now['template']);
  if (old['suspend'] !== true || present(fields(before['status'])['startTime'])) return template;
  const [oldTemplate, pod] = [fields(old['template']), fields(template['spec'])];
  const kept = fields(oldTemplate['spec']);
  const names = ['nodeSelector', 'tolerations', 'schedulingGates'];
  const back = Object.fromEntries(names.filter((name) => present(kept[name])).map((name) => [name, kept[name]]));
  const rest = Object.fromEntries(Object.entries(pod).filter(([name]) => !names.includes(name)));
  return { ...template, metadata: oldTemplate['metadata'] ?? {}, spec: { ...rest, ...back } as JsonObject };
}

function checkCompletions(report: Report, old: JsonObject, now: JsonObject): void {
  const { completions, parallelism } = now;
  if (jsonEqual(completions, old['completions'])) return;
  if (now['completionMode'] !== 'Indexed') report.invalid('spec.completions', completions, IMMUTABLE);
  else if (present(completions) && completions !== parallelism)
    report.invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism');
}

export const JOB: KindRules = { create: (_core, object) => create(object), check, checkUpdate };
