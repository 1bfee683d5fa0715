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

/** Of all parents together. Beyond that, those of the parents that were not looked at for longest are forgotten. */
const MOST_ANSWERS = 200_000;

/**
 * The good answers of each parent's last planning: of each hook, and in a rollout of each revision, one. Failures are not
 * kept: they are asked again. What is forgotten costs a call of the hook more, and nothing else.
 */
export class AnswerMemory {
  /** Parent → id of the call → answer. The parent that was asked about last is the last. */
  readonly #known = new Map<string, Map<string, Kept>>();
  readonly #most: number;
  #size = 0;

  constructor(most = MOST_ANSWERS) {
    this.#most = most;
  }

  recall(call: HookCall): HookAnswer | undefined {
    return this.#known.get(keyOf(call.controller, call.parent))?.get(call.id)?.answer;
  }

  keep(call: HookCall, answer: HookAnswer): void {
    if (!answer.ok) return;
    const key = keyOf(call.controller, call.parent);
    const answers = this.#known.get(key) ?? new Map<string, Kept>();
    this.#known.delete(key);
    this.#known.set(key, answers);
    this.#put(answers, call.id, { hookName: call.hookName, answer });
    if (this.#size > this.#most) this.#forgetOldest(key);
  }

  /** A planning that asked has come to its end: what it did not ask for will hardly be asked for again. */
  keepOnly({ controller, parent }: Pick<ParentPlan, 'controller' | 'parent'>, asked: Answers): void {
    const answers = this.#known.get(keyOf(controller, parent));
    if (!answers || ![...asked.values()].some(({ kind }) => kind === 'hook')) return;
    for (const id of answers.keys()) if (!asked.has(id)) this.#take(answers, id);
  }

  /** If the plan is carried out and nothing else happens, the answer stands for the call that would come then, too. */
  keepEcho({ controller, parent }: Pick<ParentPlan, 'controller' | 'parent'>, { call, next }: Echo): void {
    const answers = this.#known.get(keyOf(controller, parent));
    const kept = answers?.get(call);
    if (answers && kept) this.#put(answers, next, { ...kept, answer: { ...kept.answer, id: next } });
  }

  /**
   * A resync is due: the next call goes out even if nothing of its request changed. What the customize hook said stays:
   * it depends on the parent alone.
   */
  forget(controller: string, parent: HookCall['parent']): void {
    const answers = this.#known.get(keyOf(controller, parent));
    if (!answers) return;
    for (const [id, { hookName }] of answers) if (hookName !== 'customize') this.#take(answers, id);
  }

  /** The parent is one no more. */
  drop(controller: string, parent: HookCall['parent']): void {
    this.#forgetAll(keyOf(controller, parent));
  }

  #put(answers: Map<string, Kept>, id: string, kept: Kept): void {
    if (!answers.has(id)) this.#size++;
    answers.set(id, kept);
  }

  #take(answers: Map<string, Kept>, id: string): void {
    if (answers.delete(id)) this.#size--;
  }

  /** Never those of the parent in hand: one with more than all the room would ask for ever. */
  #forgetOldest(inHand: string): void {
    for (const key of this.#known.keys()) {
      if (this.#size <= this.#most || key === inHand) return;
      this.#forgetAll(key);
    }
  }

  #forgetAll(key: string): void {
    this.#size -= this.#known.get(key)?.size ?? 0;
    this.#known.delete(key);
  }
}

const keyOf = (controller: string, parent: HookCall['parent']): string => `${controller} ${refKey(parent)}`;
