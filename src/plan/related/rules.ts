// The customize hook's answer: which objects beside the children the other hooks are to be shown. Checked whole before
// anything is read; what a rule means by its version and its parent is settled here too.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import type { LabelSelector } from '../../model/definition.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { HookCall, RelatedRule } from '../../model/need.ts';
import { formatRef } from '../../model/ref.ts';
import { nameOf, type Report } from '../answer/answer-words.ts';
import { parseSelector } from '../selectors.ts';

export interface CheckedRules {
  /** Absent when there is an error among the diagnostics. */
  readonly rules?: readonly RelatedRule[];
  readonly diagnostics: readonly Diagnostic[];
}

const RULE_FIELDS = ['apiVersion', 'resource', 'labelSelector', 'namespaceSelector', 'namespace', 'names'];

export function checkCustomizeAnswer(call: HookCall, body: JsonValue): CheckedRules {
  const diagnostics: Diagnostic[] = [];
  const report = reporter(call, 'error', diagnostics);
  const unknown = call.hook.strict ? report : reporter(call, 'warning', diagnostics);
  if (!isJsonObject(body)) {
    report('answer-invalid', '', `is ${nameOf(body)}, not an object`, 'Answer with {"relatedResources": […]}.');
    return { diagnostics };
  }
  checkFields(body, { known: ['relatedResources'], path: '', report: unknown });
  const given = body['relatedResources'] ?? [];
  if (!isJsonArray(given)) {
    const hint = 'Return a list of rules, such as [{"apiVersion": "v1", "resource": "configmaps"}].';
    report('answer-invalid', 'relatedResources', `is ${nameOf(given)}, not a list`, hint);
    return { diagnostics };
  }
  const rules = given.map((value, index) =>
    checkRule(value, { call, path: `relatedResources[${index}]`, report, unknown }),
  );
  if (hasErrors(diagnostics)) return { diagnostics };
  return { rules: rules.filter((rule) => rule !== undefined), diagnostics };
}

function reporter(call: HookCall, severity: Diagnostic['severity'], diagnostics: Diagnostic[]): Report {
  return (code, path, problem, hint) => {
    diagnostics.push({ severity, code, ...ruleProblem(call, path, problem), ...(hint === undefined ? {} : { hint }) });
  };
}

/** What all problems of rules look like; `path` inside the answer, "" for the whole. */
export function ruleProblem(call: HookCall, path: string, problem: string): Omit<Diagnostic, 'severity' | 'code'> {
  const summary = `${call.controller}: the customize hook's answer for ${formatRef(call.parent)}: ${path === '' ? 'it' : path} ${problem}`;
  return { summary, subject: call.parent, ...(path === '' ? {} : { path }) };
}

interface RuleContext {
  readonly call: HookCall;
  /** "relatedResources[0]" */
  readonly path: string;
  readonly report: Report;
  readonly unknown: Report;
}

function checkFields(
  value: JsonObject,
  { known, path, report }: { readonly known: readonly string[]; readonly path: string; readonly report: Report },
): void {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    const meant = nearest(field, known);
    const hint = meant ? `Did you mean ${JSON.stringify(meant)}?` : `Known fields: ${known.join(', ')}.`;
    report('answer-invalid', path === '' ? field : `${path}.${field}`, 'is not a field that is known here', hint);
  }
}

function checkRule(value: JsonValue, context: RuleContext): RelatedRule | undefined {
  const { path, report, unknown } = context;
  if (!isJsonObject(value)) {
    report('answer-invalid', path, `is ${nameOf(value)}, not an object`);
    return undefined;
  }
  checkFields(value, { known: RULE_FIELDS, path, report: unknown });
  const { apiVersion, resource } = value;
  for (const [field, text] of [
    ['apiVersion', apiVersion],
    ['resource', resource],
  ] as const)
    if (typeof text !== 'string' || text === '')
      report('answer-invalid', `${path}.${field}`, text === '' ? 'is empty' : `is ${missingOr(text)}`);
  const namespace = checkNamespace(value['namespace'], context);
  const names = checkNames(value['names'], context);
  const labelSelector = checkSelector('labelSelector', value, context);
  const namespaceSelector = checkSelector('namespaceSelector', value, context);
  if (typeof apiVersion !== 'string' || typeof resource !== 'string') return undefined;
  const rule: RelatedRule = {
    apiVersion,
    resource,
    ...(names === undefined ? {} : { names }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
  };
  checkTogether(rule, context);
  const home = homeOf(context.call);
  return home === undefined ? rule : { ...rule, namespace: home };
}

const missingOr = (value: JsonValue | undefined): string =>
  value === undefined ? 'missing' : `${nameOf(value)}, not a string`;

/** An empty text is as good as none. */
function checkNamespace(value: JsonValue | undefined, { path, report }: RuleContext): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  report('answer-invalid', `${path}.namespace`, `is ${nameOf(value)}, not a string`);
  return undefined;
}

/** An empty list is as good as none; a name twice is one name. */
function checkNames(value: JsonValue | undefined, { path, report }: RuleContext): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonArray(value)) {
    report('answer-invalid', `${path}.names`, `is ${nameOf(value)}, not a list of names`);
    return undefined;
  }
  const names = value.filter((name): name is string => typeof name === 'string' && name !== '');
  for (const [index, name] of value.entries())
    if (typeof name !== 'string' || name === '')
      report('answer-invalid', `${path}.names[${index}]`, name === '' ? 'is empty' : `is ${missingOr(name)}`);
  return names.length === 0 ? undefined : [...new Set(names)];
}

function checkSelector(
  field: 'labelSelector' | 'namespaceSelector',
  rule: JsonObject,
  { path, report }: RuleContext,
): LabelSelector | undefined {
  const value = rule[field];
  if (value === undefined || value === null) return undefined;
  const selector = parseSelector(value);
  if (typeof selector !== 'string') return selector;
  report('answer-invalid', `${path}.${field}`, selector);
  return undefined;
}

/** Which fields go together, and how far a rule may reach. */
function checkTogether(rule: RelatedRule, { call, path, report }: RuleContext): void {
  const { names, namespace, labelSelector, namespaceSelector } = rule;
  const selector = labelSelector ? 'labelSelector' : namespaceSelector ? 'namespaceSelector' : undefined;
  if (names && selector)
    report('answer-invalid', `${path}.names`, `stands beside ${selector}`, 'Name objects or select them: two rules.');
  if (namespace !== undefined && namespaceSelector)
    report('answer-invalid', `${path}.namespace`, 'stands beside namespaceSelector', 'Keep one of the two.');
  const home = homeOf(call);
  if (home === undefined) return;
  const hint = 'Set version: v2 in the customize hook: its rules may reach everywhere.';
  if (namespaceSelector)
    report(
      'answer-invalid',
      `${path}.namespaceSelector`,
      `is not for a parent in a namespace under hook version v1`,
      hint,
    );
  if (namespace !== undefined && namespace !== home)
    report(
      'answer-invalid',
      `${path}.namespace`,
      `is ${namespace}, but the parent is in ${home}, and hook version v1 goes no further`,
      hint,
    );
}

/** The one namespace that rules of v1 see from a parent in a namespace. undefined: they see everything. */
function homeOf({ hook, parent }: HookCall): string | undefined {
  return hook.version === 'v1' ? parent.namespace : undefined;
}
