// What was asked before and need not be asked again.

import type { HookName } from '../model/definition.ts';
import type { Answers, HookAnswer, HookCall } from '../model/need.ts';
import type { ParentPlan } from '../model/plan.ts';
import { refKey } from '../model/ref.ts';
import type { Echo } from '../plan/index.ts';

interface Kept {
  readonly hookName: HookName;
  readonly answer: HookAnswer;
}

/**
 * The good answers of each parent's last planning: of each hook, and in a rollout of each revision, one. Failures are not
 * kept: they are asked again.
 */
export class AnswerMemory {
  /** Parent → id of the call → answer. */
  readonly #known = new Map<string, Map<string, Kept>>();

  recall(call: HookCall): HookAnswer | undefined {
    return this.#known.get(keyOf(call.controller, call.parent))?.get(call.id)?.answer;
  }

  keep(call: HookCall, answer: HookAnswer): void {
    if (!answer.ok) return;
    const key = keyOf(call.controller, call.parent);
    const answers = this.#known.get(key) ?? new Map<string, Kept>();
    this.#known.set(key, answers.set(call.id, { hookName: call.hookName, answer }));
  }

  /** A planning that asked has come to its end: what it did not ask for will hardly be asked for again. */
  keepOnly({ controller, parent }: Pick<ParentPlan, 'controller' | 'parent'>, asked: Answers): void {
    const answers = this.#known.get(keyOf(controller, parent));
    if (!answers || ![...asked.values()].some(({ kind }) => kind === 'hook')) return;
    for (const id of answers.keys()) if (!asked.has(id)) answers.delete(id);
  }

  /** If the plan is carried out and nothing else happens, the answer stands for the call that would come then, too. */
  keepEcho({ controller, parent }: Pick<ParentPlan, 'controller' | 'parent'>, { call, next }: Echo): void {
    const answers = this.#known.get(keyOf(controller, parent));
    const kept = answers?.get(call);
    if (kept) answers?.set(next, { ...kept, answer: { ...kept.answer, id: next } });
  }

  /**
   * A resync is due: the next call goes out even if nothing of its request changed. What the customize hook said stays:
   * it depends on the parent alone.
   */
  forget(controller: string, parent: HookCall['parent']): void {
    const answers = this.#known.get(keyOf(controller, parent));
    for (const [id, { hookName }] of answers ?? []) if (hookName !== 'customize') answers?.delete(id);
  }

  /** The parent is one no more. */
  drop(controller: string, parent: HookCall['parent']): void {
    this.#known.delete(keyOf(controller, parent));
  }
}

const keyOf = (controller: string, parent: HookCall['parent']): string => `${controller} ${refKey(parent)}`;
