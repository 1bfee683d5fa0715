// A hook's answer is somebody else's data: it is checked completely before anything of it is used. All problems are
// reported at once, each with the path inside the answer. What is returned here has no surprise left in it.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import type { Diagnostic, DiagnosticCode } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import { formatRef, keyOf, refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { checkChild, type DesiredChild } from './answer-child.ts';
import { checkAnnotations, checkLabels, type Edits } from './answer-metadata.ts';
import { nameOf, type Report } from './answer-words.ts';
import type { HookWords } from './hook-words.ts';

export interface SyncAnswer {
  /** In the order in which the hook returned them; namespace filled in. */
  readonly children: readonly DesiredChild[];
  /** Absent: the answer has none, or null. */
  readonly status?: JsonObject;
  /** Of the parent; a composite controller's hook has none to say. */
  readonly labels: Edits;
  readonly annotations: Edits;
  readonly resyncAfterSeconds: number;
  readonly finalized: boolean;
}

export interface CheckedAnswer {
  /** Absent when there is an error among the diagnostics. */
  readonly answer?: SyncAnswer;
  readonly diagnostics: readonly Diagnostic[];
}

export interface AnswerContext {
  /** Of the children. */
  readonly types: readonly ResourceType[];
  /** An object that is returned twice is a warning, and the last one counts, as in Metacontroller; else an error. */
  readonly lastWins?: boolean;
  readonly words: HookWords;
}

export function checkSyncAnswer(call: HookCall, body: JsonValue, context: AnswerContext): CheckedAnswer {
  const diagnostics: Diagnostic[] = [];
  const say =
    (severity: Diagnostic['severity']): Report =>
    (code, path, problem, hint) => {
      diagnostics.push({ ...answerProblem(call, { code, path, problem, hint }), severity });
    };
  const report = say('error');
  const { words } = context;
  if (!isJsonObject(body)) {
    const hint = `Answer with {"status": {…}, "${words.children}": […]}.`;
    report('answer-invalid', '', `is ${nameOf(body)}, not an object`, hint);
    return { diagnostics };
  }
  checkUnknownFields(body, words, call.hook.strict ? report : say('warning'));
  const twice = say(context.lastWins ? 'warning' : 'error');
  const children = checkChildren(body[words.children], { ...context, call, report, twice });
  const status = checkStatus(body['status'], report);
  const edited = (field: 'labels' | 'annotations') => (words.answer.includes(field) ? body[field] : undefined);
  const answer: SyncAnswer = {
    children,
    ...(status ? { status } : {}),
    labels: checkLabels(edited('labels'), report),
    annotations: checkAnnotations(edited('annotations'), report),
    resyncAfterSeconds: checkResync(body['resyncAfterSeconds'], report),
    finalized: checkFinalized(body['finalized'], report),
  };
  return diagnostics.some(({ severity }) => severity === 'error') ? { diagnostics } : { answer, diagnostics };
}

export interface AnswerProblem {
  readonly code: DiagnosticCode;
  /** Inside the answer; "" for the whole. */
  readonly path: string;
  /** As the end of a sentence. */
  readonly problem: string;
  readonly hint?: string | undefined;
}

export function answerProblem(call: HookCall, { code, path, problem, hint }: AnswerProblem): Diagnostic {
  const { controller, hookName, parent, input } = call;
  const about = `${formatRef(parent)}${input ? ` and its input ${formatRef(input)}` : ''}`;
  return {
    severity: 'error',
    code,
    summary: `${controller}: the ${hookName} hook's answer for ${about}: ${path === '' ? 'it' : path} ${problem}`,
    subject: parent,
    ...(path === '' ? {} : { path }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function checkUnknownFields(body: JsonObject, { answer: known }: HookWords, report: Report): void {
  for (const field of Object.keys(body)) {
    if (known.includes(field)) continue;
    const meant = nearest(field, known);
    const hint = meant ? `Did you mean ${JSON.stringify(meant)}?` : `Known fields: ${known.join(', ')}.`;
    report('answer-invalid', field, 'is not a field of an answer', hint);
  }
}

interface ChildrenContext extends AnswerContext {
  readonly call: HookCall;
  readonly report: Report;
  readonly twice: Report;
}

function checkChildren(value: JsonValue | undefined, context: ChildrenContext): DesiredChild[] {
  const list = context.words.children;
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) {
    context.report('answer-invalid', list, `is ${nameOf(value)}, not a list`, 'Return a list of objects.');
    return [];
  }
  const children = new Map<string, DesiredChild>();
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const child = checkChild(item, { ...context, path: `${list}[${index}]` });
    if (!child) continue;
    const key = keyOf(child.object);
    const first = seen.get(key);
    if (first !== undefined) {
      const what = `is ${formatRef(refOf(child.object))} again, as ${list}[${first}] is`;
      const which = context.lastWins ? `${what}: the last one counts` : what;
      context.twice('answer-duplicate', `${list}[${index}]`, which, 'Return each object once.');
    }
    seen.set(key, index);
    children.set(key, child);
  }
  return [...children.values()];
}

function checkStatus(value: JsonValue | undefined, report: Report): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return value;
  report('answer-invalid', 'status', `is ${nameOf(value)}, not an object`);
  return undefined;
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
