// The rules of a schema on an object: the order and the words of the API server. Rules that look at the old state run where
// there is one to compare with; what breaks another rule is let through where the value has not changed.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { findFieldPath } from '../definition/field-path.ts';
import {
  duplicateValue,
  type FieldProblem,
  forbiddenField,
  invalidField,
  invalidValue,
  required,
} from '../field-problem.ts';
import { propertyOf, type Structural, structuralOf } from '../structural/structural.ts';
import { Correlated } from '../validate/correlate.ts';
import { celErrorText, NO_OVERLOAD } from './cel-error.ts';
import { type Compiled, compileExpression } from './compile-rule.ts';
import { absentOld, presentOld } from './old-self.ts';
import { ruleValue } from './rule-values.ts';

export interface RuleResult {
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly string[];
}

interface Rule {
  readonly source: JsonObject;
  readonly compiled: Compiled;
  readonly message: Compiled | undefined;
  /** Where its problem is, below its schema. */
  readonly fieldPath: string;
}

interface States {
  readonly path: string;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly correlated: Correlated | undefined;
  /** The nearest one around that has an old state. */
  readonly around: Correlated | undefined;
  readonly isResource: boolean;
}

/** The states as rules see them. */
interface Seen {
  readonly self: unknown;
  readonly oldSelf: unknown;
  readonly hasOld: boolean;
}

const compiledRules = new WeakMap<Structural, readonly Rule[]>();

export function evaluateRules(
  schema: JsonObject,
  states: { readonly before?: JsonObject; readonly after: JsonObject },
): RuleResult {
  const structural = structuralOf(schema);
  const { before, after } = states;
  const correlated = before && new Correlated(structural, after, before);
  const run = new Run();
  run.visit(structural, { path: '', value: after, old: before, correlated, around: undefined, isResource: true });
  return run;
}

class Run implements RuleResult {
  readonly problems: FieldProblem[] = [];
  readonly warnings: string[] = [];

  visit(schema: Structural, states: States): void {
    const { value } = states;
    if (!schema.has.rules || value === null) return;
    const rules = rulesOf(schema);
    if (rules.length > 0) {
      const { old, isResource } = states;
      const hasOld = old !== undefined && old !== null;
      const self = ruleValue(schema, value, isResource);
      const seen = { self, oldSelf: hasOld ? ruleValue(schema, old, isResource) : undefined, hasOld };
      for (const rule of rules) this.#evaluate(schema, rule, states, seen);
    }
    if (isJsonArray(value)) this.#visitItems(schema, value, states);
    else if (isJsonObject(value)) this.#visitFields(schema, value, states);
  }

  #visitItems(schema: Structural, items: readonly JsonValue[], states: States): void {
    const { items: itemSchema } = schema;
    if (!itemSchema) return;
    const old = new Correlated(schema, items, states.old ?? null);
    items.forEach((item, index) => {
      this.visit(itemSchema, {
        path: `${states.path}[${index}]`,
        value: item,
        old: old.oldItem(item),
        ...below(states, states.correlated?.index(index)),
        isResource: itemSchema.embedded,
      });
    });
  }

  #visitFields(schema: Structural, object: JsonObject, states: States): void {
    const oldObject = isJsonObject(states.old) ? states.old : {};
    for (const key of Object.keys(object)) {
      const value = object[key];
      const field = propertyOf(schema, key);
      if (value === undefined || !field) continue;
      const at = schema.properties.has(key)
        ? states.path === ''
          ? key
          : `${states.path}.${key}`
        : `${states.path}[${key}]`;
      this.visit(field, {
        path: at,
        value,
        old: Object.hasOwn(oldObject, key) ? oldObject[key] : undefined,
        ...below(states, states.correlated?.key(key)),
        isResource: field.embedded,
      });
    }
  }

  #evaluate(schema: Structural, rule: Rule, states: States, { self, oldSelf, hasOld }: Seen): void {
    const { compiled } = rule;
    if ('unsupported' in compiled) {
      this.warnings.push(notEvaluated(compiled));
      return;
    }
    const optional = rule.source['optionalOldSelf'] === true;
    if (compiled.usesOldSelf && !hasOld && !optional) return;
    const field = states.path === '' ? '<nil>' : states.path;
    const context = { self, oldSelf };
    try {
      const wrapped = optional ? { self, oldSelf: hasOld ? presentOld(oldSelf) : absentOld() } : context;
      if (compiled.evaluate(wrapped) === true) return;
    } catch (error) {
      this.problems.push(invalidValue(field, schema.type, failureText(error, rule)));
      return;
    }
    const problem = brokenRule(schema, rule, { ...states, path: states.path }, messageOf(rule, context));
    const isUnchanged = states.correlated ? states.correlated.isUnchanged() : states.around?.isUnchanged();
    if (!compiled.usesOldSelf && isUnchanged) this.warnings.push(`${problem.field}: ${problem.message}`);
    else this.problems.push(problem);
  }
}

function below(states: States, child: Correlated | undefined): Pick<States, 'correlated' | 'around'> {
  return { correlated: child, around: states.correlated ?? states.around };
}

function rulesOf(schema: Structural): readonly Rule[] {
  const known = compiledRules.get(schema);
  if (known) return known;
  const list = schema.source['x-kubernetes-validations'];
  const rules = isJsonArray(list) ? list.filter(isJsonObject).map((source) => compiledRule(schema, source)) : [];
  compiledRules.set(schema, rules);
  return rules;
}

function compiledRule(schema: Structural, source: JsonObject): Rule {
  const message = String(source['messageExpression'] ?? '');
  const fieldPath = String(source['fieldPath'] ?? '');
  const found = fieldPath === '' ? undefined : findFieldPath(fieldPath, schema.source, { brackets: true });
  return {
    source,
    compiled: compileExpression(String(source['rule'] ?? '')),
    message: message === '' ? undefined : compileExpression(message),
    fieldPath: found && 'text' in found ? found.text : '',
  };
}

/** The text of a rule in messages: its message, or itself. */
function ruleText({ source }: Rule): string {
  const message = String(source['message'] ?? '');
  return (message === '' ? String(source['rule'] ?? '') : message).trim();
}

function messageOf(rule: Rule, context: Readonly<Record<string, unknown>>): string {
  const own = String(rule.source['message'] ?? '').trim();
  const fallback = own === '' ? `failed rule: ${ruleText(rule)}` : own;
  if (!rule.message || 'unsupported' in rule.message) return fallback;
  try {
    const text = rule.message.evaluate(context);
    const trimmed = typeof text === 'string' ? text.trim() : '';
    return trimmed === '' || trimmed.includes('\n') || trimmed.length > 5120 ? fallback : trimmed;
  } catch {
    return fallback;
  }
}

function failureText(error: unknown, rule: Rule): string {
  const text = celErrorText(error);
  if (text !== NO_OVERLOAD) return `${text} evaluating rule: ${ruleText(rule)}`;
  const detail = 'call arguments did not match a supported operator, function or macro signature for rule';
  return `'${text}': ${detail}: ${ruleText(rule)}`;
}

function brokenRule(schema: Structural, rule: Rule, { path, value }: States, message: string): FieldProblem {
  const below = rule.fieldPath === '' ? path : path === '' ? rule.fieldPath : `${path}.${rule.fieldPath}`;
  const field = below === '' ? '<nil>' : below;
  const isStructure = schema.type === 'object' || schema.type === 'array';
  switch (rule.source['reason']) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message);
    case 'FieldValueRequired':
      return required(field, message);
    case 'FieldValueDuplicate':
      return isStructure
        ? { field, reason: 'FieldValueDuplicate', message: 'Duplicate value' }
        : duplicateValue(field, value);
    default:
      return isStructure ? invalidField(field, message) : invalidValue(field, value, message);
  }
}

const notEvaluated = ({ text, unsupported }: { text: string; unsupported: string }): string =>
  `x-kubernetes-validations: the sandbox does not evaluate the rule "${text.trim()}": ${unsupported}`;
