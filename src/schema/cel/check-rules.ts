// Rules when a CRD is written: those that are certainly wrong are refused in the words of cel-go; of those that the evaluator
// does not understand it is told.

import { type Environment, ParseError } from '@marcbachmann/cel-js';
import { isJsonObject, type JsonObject, stringifyJson } from '../../kit/json.ts';
import { internalRule } from '../definition/internal-schema.ts';
import { type FieldProblem, invalidValue, Shown } from '../field-problem.ts';
import { structuralOf } from '../structural/structural.ts';
import { type Compiled, compileExpression } from './compile-rule.ts';
import { checkEnvironment, KNOWN_FUNCTIONS } from './rule-environment.ts';

export interface RuleChecks {
  readonly isResource: boolean;
  /** Where old states can't be told apart: the path that is why. */
  readonly uncorrelated: string | undefined;
}

export function checkRules(schema: JsonObject, path: string, checks: RuleChecks): FieldProblem[] {
  const rules = schema['x-kubernetes-validations'];
  const list = Array.isArray(rules) ? rules.filter(isJsonObject) : [];
  return list.flatMap((rule, index) =>
    ruleProblems(schema, rule, `${path}.x-kubernetes-validations[${index}]`, checks),
  );
}

function ruleProblems(schema: JsonObject, rule: JsonObject, path: string, checks: RuleChecks): FieldProblem[] {
  const optionalOld = rule['optionalOldSelf'] === true;
  const environment = checkEnvironment(structuralOf(schema), { isResource: checks.isResource, optionalOld });
  const shown = new Shown(stringifyJson(internalRule(rule)).replaceAll(/[<>&]/g, escapeHtml));
  const text = String(rule['rule'] ?? '');
  const compiled = compileExpression(text);
  const wrong = problemOf(environment, compiled, 'bool');
  const problems = wrong === undefined ? [] : [invalidValue(`${path}.rule`, shown, wrong)];
  const message = String(rule['messageExpression'] ?? '');
  const wrongMessage = message === '' ? undefined : problemOf(environment, compileExpression(message), 'string');
  if (wrong === undefined && wrongMessage !== undefined) {
    problems.push(invalidValue(`${path}.messageExpression`, shown, wrongMessage));
  }
  const usesOld = 'usesOldSelf' in compiled && compiled.usesOldSelf;
  if (usesOld && checks.uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${checks.uncorrelated}`;
    problems.push(invalidValue(`${path}.rule`, text, detail));
  } else if (!usesOld && wrong === undefined && 'usesOldSelf' in compiled && rule['optionalOldSelf'] !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    problems.push(invalidValue(`${path}.optionalOldSelf`, rule['optionalOldSelf'], detail));
  }
  return problems;
}

const escapeHtml = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;

/** Undefined: nothing is known to be wrong. */
function problemOf(environment: Environment, compiled: Compiled, wanted: 'bool' | 'string'): string | undefined {
  if ('unsupported' in compiled && compiled.isKnown) return undefined;
  const { valid, type, error } = environment.check(compiled.text);
  if (valid) {
    if (type === wanted || type === 'dyn') return undefined;
    return wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
  }
  const found = error && certainProblem(compiled.text, error);
  if (!found) return undefined;
  const prefix = wanted === 'bool' ? '' : 'messageExpression ';
  return `${prefix}compilation failed: ERROR: <input>:${located(compiled.text, found)}`;
}

interface Found {
  readonly message: string;
  /** Index into the text. */
  readonly at: number;
}

type CheckError = NonNullable<ReturnType<Environment['check']>['error']>;

/** What cel-go says too; undefined where it may know better. */
function certainProblem(text: string, error: CheckError): Found | undefined {
  const { summary, code } = error;
  const at = error.range?.start ?? 0;
  if (error instanceof ParseError) {
    if (/^has\(\)/.test(summary)) return { message: 'invalid argument to has() macro', at };
    // Names in backticks and what else a newer grammar may have are not certainly wrong.
    return /Unexpected token: EOF/.test(summary)
      ? { message: `Syntax error: mismatched input '<EOF>'`, at }
      : undefined;
  }
  const key = /^No such key: (.*)$/.exec(summary)?.[1];
  if (key !== undefined) return { message: `undefined field '${key}'`, at: text.lastIndexOf('.', at) };
  const variable = /^Unknown variable: (.*)$/.exec(summary)?.[1];
  if (variable !== undefined) return { message: `undeclared reference to '${variable}' (in container '')`, at };
  if (/^has\(\)/.test(summary)) return { message: 'invalid argument to has() macro', at };
  const operator = /^no such overload: (\S+) (\S+) (\S+)$/.exec(summary);
  if (operator) return operatorProblem(text, operator, error);
  return code === 'no_matching_overload' || /^found no matching overload/.test(summary)
    ? callProblem(text, summary, at)
    : undefined;
}

function operatorProblem(
  text: string,
  [, left = '', operator = '', right = '']: RegExpExecArray,
  error: CheckError,
): Found | undefined {
  if ([left, right].some((type) => type === 'dyn' || type.startsWith('selfType'))) return undefined;
  const name = operator === 'in' ? '@in' : `_${operator}_`;
  const at = text.indexOf(operator, error.range?.start ?? 0);
  return { message: `found no matching overload for '${name}' applied to '(${left}, ${right})'`, at };
}

function callProblem(text: string, summary: string, at: number): Found | undefined {
  const name = /'(?:.*\.)?(\w+)\(/.exec(summary)?.[1];
  if (name === undefined || KNOWN_FUNCTIONS.has(name)) return undefined;
  return {
    message: `undeclared reference to '${name}' (in container '')`,
    at: text.indexOf('(', text.indexOf(name, at)),
  };
}

/** "1:5: message", and below it the line with a mark. */
function located(text: string, { message, at }: Found): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  const shown = text.split('\n')[line - 1] ?? '';
  return `${line}:${column + 1}: ${message}\n | ${shown}\n | ${'.'.repeat(column)}^`;
}
