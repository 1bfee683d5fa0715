// The driver: builds the view, asks the planner, fetches what it needs, asks again. Keeps the transcript.

import type { HookName } from '../model/definition.ts';
import { BugError, hasErrors } from '../model/diagnostic.ts';
import type { Answer, Answers, HookAnswer, HookCall, Lookup, Need, RelatedNeed } from '../model/need.ts';
import type { ParentPlan } from '../model/plan.ts';
import { refKey, refOf } from '../model/ref.ts';
import { apiVersionOf } from '../model/resource.ts';
import { planComposite } from '../plan/index.ts';
import type { ObjectCache } from '../ports/cache.ts';
import type { HookCaller } from '../ports/hook.ts';
import type { Reader } from '../ports/read.ts';
import type { RelatedReader } from './related.ts';
import type { Controller } from './resolved.ts';
import { type ParentToPlan, viewOf } from './view.ts';

export interface ReconcilePorts {
  readonly cache: ObjectCache;
  readonly reader: Reader;
  readonly hooks: HookCaller;
  readonly related: RelatedReader;
}

export interface ReconcileOptions {
  /** Claims taken as written (plan), or a barrier (apply). */
  readonly foresee: boolean;
  /** In a plan, finalize hooks are asked whatever they say of their side effects. */
  readonly askFinalize?: boolean;
  readonly signal: AbortSignal;
  /** Keeps the last answer of each parent, so that the hook is called only when its request changed. */
  readonly memory?: AnswerMemory;
}

export interface Reconciled {
  readonly plan: ParentPlan;
  readonly transcript: Answers;
}

// The planner asks for a hook's answer and a look-up: more rounds than this are a defect of ours.
const MAX_ROUNDS = 10;

export async function reconcileParent(
  controller: Controller,
  parent: ParentToPlan,
  ports: ReconcilePorts,
  options: ReconcileOptions,
): Promise<Reconciled> {
  const view = viewOf(controller, parent, ports.cache);
  const answers = new Map<string, Answer>();
  const asked: RelatedNeed[] = [];
  const { foresee, askFinalize = false } = options;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const planning = planComposite(controller.definition, view, answers, { foresee, askFinalize });
    if (planning.kind === 'plan') {
      options.memory?.keepOnly(planning.plan, answers);
      // Where it failed, what the parent looked at before may be what puts it right.
      if (!hasErrors(planning.plan.diagnostics))
        ports.related.used(planning.plan.controller, planning.plan.parent, asked);
      return { plan: planning.plan, transcript: answers };
    }
    asked.push(...planning.needs.filter((need) => need.kind === 'related'));
    const fetched = await Promise.all(planning.needs.map((need) => fetchNeed(need, controller, ports, options)));
    for (const answer of fetched) answers.set(answer.id, answer);
  }
  throw new BugError(`planning ${refKey(refOf(parent.object))} did not come to an end after ${MAX_ROUNDS} rounds`);
}

async function fetchNeed(
  need: Need,
  controller: Controller,
  ports: ReconcilePorts,
  options: ReconcileOptions,
): Promise<Answer> {
  switch (need.kind) {
    case 'hook':
      return askHook(need, ports.hooks, options);
    case 'lookup':
      return { kind: 'lookup', id: need.id, objects: lookUp(need, controller, ports.cache) };
    case 'related':
      return ports.related.read(need);
    case 'live-read':
      return {
        kind: 'live-read',
        id: need.id,
        object: await ports.reader.get(need.type, need.ref.name, need.ref.namespace),
      };
  }
}

async function askHook(call: HookCall, hooks: HookCaller, { memory, signal }: ReconcileOptions): Promise<HookAnswer> {
  const known = memory?.recall(call);
  if (known) return known;
  const answer = await hooks.call(call, signal);
  memory?.keep(call, answer);
  return answer;
}

function lookUp(need: Lookup, controller: Controller, cache: ObjectCache) {
  return need.refs.flatMap((ref) => {
    const index = controller.childTypes.findIndex(
      (type) => type.kind === ref.kind && ref.apiVersion === apiVersionOf(type),
    );
    const scope = controller.childScopes[index];
    return scope ? (cache.get(scope, ref.name, ref.namespace) ?? []) : [];
  });
}

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

  /**
   * A resync is due: the next call goes out even if nothing of its request changed. What the customize hook said stays:
   * it depends on the parent alone.
   */
  forget(controller: string, parent: HookCall['parent']): void {
    const answers = this.#known.get(keyOf(controller, parent));
    for (const [id, { hookName }] of answers ?? []) if (hookName !== 'customize') answers?.delete(id);
  }
}

const keyOf = (controller: string, parent: HookCall['parent']): string => `${controller} ${refKey(parent)}`;
