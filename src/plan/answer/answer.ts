// A hook's answer is somebody else's data: it is checked completely before anything of it is used. All problems are
// reported at once, each with the path inside the answer. What is returned here has no surprise left in it.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import { formatRef, refKey, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { checkChild, type DesiredChild } from './answer-child.ts';
import { nameOf, type Report } from './answer-words.ts';

export interface SyncAnswer {
  /** In the order in which the hook returned them; namespace filled in. */
  readonly children: readonly DesiredChild[];
  /** Absent or null in the answer: {}. */
  readonly status: JsonObject;
  readonly resyncAfterSeconds: number;
  readonly finalized: boolean;
}

export interface CheckedAnswer {
  /** Absent when there is an error among the diagnostics. */
  readonly answer?: SyncAnswer;
  readonly diagnostics: readonly Diagnostic[];
}

const FIELDS = ['status', 'children', 'resyncAfterSeconds', 'finalized'];

export interface AnswerContext {
  /** Of the children. */
  readonly types: readonly ResourceType[];
  /** An object that is returned twice is a warning, and the last one counts, as in Metacontroller; else an error. */
  readonly lastWins?: boolean;
}

export function checkSyncAnswer(call: HookCall, body: JsonValue, context: AnswerContext): CheckedAnswer {
  const diagnostics: Diagnostic[] = [];
  const say =
    (severity: Diagnostic['severity']): Report =>
    (code, path, problem, hint) => {
      diagnostics.push({
        severity,
        code,
        summary: `${call.controller}: the ${call.hookName} hook's answer for ${formatRef(call.parent)}: ${path === '' ? 'it' : path} ${problem}`,
        subject: call.parent,
        ...(path === '' ? {} : { path }),
        ...(hint === undefined ? {} : { hint }),
      });
    };
  const report = say('error');
  if (!isJsonObject(body)) {
    report('answer-invalid', '', `is ${nameOf(body)}, not an object`, 'Answer with {"status": {…}, "children": […]}.');
    return { diagnostics };
  }
  checkUnknownFields(body, call.hook.strict ? report : say('warning'));
  const twice = say(context.lastWins ? 'warning' : 'error');
  const children = checkChildren(body['children'], { ...context, call, report, twice });
  const answer: SyncAnswer = {
    children,
    status: checkStatus(body['status'], report),
    resyncAfterSeconds: checkResync(body['resyncAfterSeconds'], report),
    finalized: checkFinalized(body['finalized'], report),
  };
  return diagnostics.some(({ severity }) => severity === 'error') ? { diagnostics } : { answer, diagnostics };
}

function checkUnknownFields(body: JsonObject, report: Report): void {
  for (const field of Object.keys(body)) {
    if (FIELDS.includes(field)) continue;
    const meant = nearest(field, FIELDS);
    const hint = meant ? `Did you mean ${JSON.stringify(meant)}?` : `Known fields: ${FIELDS.join(', ')}.`;
    report('answer-invalid', field, 'is not a field of an answer', hint);
  }
}

interface ChildrenContext extends AnswerContext {
  readonly call: HookCall;
  readonly report: Report;
  readonly twice: Report;
}

function checkChildren(value: JsonValue | undefined, context: ChildrenContext): DesiredChild[] {
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) {
    context.report('answer-invalid', 'children', `is ${nameOf(value)}, not a list`, 'Return a list of objects.');
    return [];
  }
  const children = new Map<string, DesiredChild>();
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const child = checkChild(item, { ...context, path: `children[${index}]` });
    if (!child) continue;
    const key = refKey(refOf(child.object));
    const first = seen.get(key);
    if (first !== undefined) {
      const what = `is ${formatRef(refOf(child.object))} again, as children[${first}] is`;
      const which = context.lastWins ? `${what}: the last one counts` : what;
      context.twice('answer-duplicate', `children[${index}]`, which, 'Return each object once.');
    }
    seen.set(key, index);
    children.set(key, child);
  }
  return [...children.values()];
}

function checkStatus(value: JsonValue | undefined, report: Report): JsonObject {
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  report('answer-invalid', 'status', `is ${nameOf(value)}, not an object`);
  return {};
}

function checkResync(value: JsonValue | undefined, report: Report): number {
  if (value === undefined || value === null) return 0;
  const seconds = typeof value === 'bigint' ? Number(value) : value;
  if (typeof seconds === 'number' && Number.isFinite(seconds)) return Math.max(0, seconds);
  report('answer-invalid', 'resyncAfterSeconds', `is ${nameOf(value)}, not a number of seconds`);
  return 0;
}

function checkFinalized(value: JsonValue | undefined, report: Report): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  report('answer-invalid', 'finalized', `is ${nameOf(value)}, not true or false`);
  return false;
}
