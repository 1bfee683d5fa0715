// Planning again and again while the files stay as they are: what moves in the cluster says which parents are planned anew,
// and a hook is asked only when its request is another.

import { type ParentKey, Parents, parentKeyOf } from '../../loop/index.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ParentPlan, Plan } from '../../model/plan.ts';
import { refKey, refOf } from '../../model/ref.ts';
import type { CacheChange } from '../../ports/cache.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import { AnswerMemory, type Controller } from '../../reconcile/index.ts';
import type { AppEnvironment, PlanOptions } from '../options.ts';
import { targetFilter } from '../parents.ts';
import { makePlan, type PlanMemory, type Prepared } from '../prepare.ts';
import { comingOf, relatedOf } from '../related.ts';

const MOST_FOLLOWED = 50;

const isKnownFailure = (error: unknown): boolean => error instanceof ApiError || error instanceof ConnectionError;

/** What a change of the cluster means for the plan. */
export type Concern = 'nothing' | 'parents' | 'inputs';

export class PlanLife implements PlanMemory {
  readonly related;
  readonly answers = new AnswerMemory();
  readonly #prepared: Prepared;
  readonly #parents: Parents;
  readonly #plans = new Map<ParentKey, ParentPlan>();
  /** Around which something moved while they were planned: their plans are not kept. */
  readonly #moving = new Set<ParentKey>();
  /** Inputs that are no parents: whether they are as the files say was read once. */
  readonly #inputs: ReadonlySet<string>;

  constructor(prepared: Prepared, options: PlanOptions) {
    this.#prepared = prepared;
    this.related = relatedOf(prepared, comingOf(prepared.inputs));
    this.#parents = new Parents({ cache: prepared.cache, related: this.related }, targetFilter(options));
    for (const controller of prepared.controllers) this.#parents.add(controller);
    this.#inputs = new Set(prepared.inputs.map(({ projected }) => refKey(refOf(projected))));
  }

  /**
   * Follows the objects of the files that nothing else follows, one by one. Of many files only the first are: each is a
   * watch. Who may not watch them is told of their changes when a file changes.
   */
  async followInputs(): Promise<void> {
    const { inputs, cache, resources } = this.#prepared;
    const first = inputs.slice(0, MOST_FOLLOWED);
    const followed = first.map(async ({ type, projected }) => {
      if (!(await resources.isServed(type))) return;
      const { name = '', namespace } = projected.metadata;
      await cache.ensure({ type, name, ...(type.namespaced && namespace !== undefined ? { namespace } : {}) });
    });
    for (const outcome of await Promise.allSettled(followed))
      if (outcome.status === 'rejected' && !isKnownFailure(outcome.reason)) throw outcome.reason;
  }

  plan(options: PlanOptions, environment: AppEnvironment): Promise<Plan> {
    this.#moving.clear();
    return makePlan(this.#prepared, options, environment, this);
  }

  changed(change: CacheChange): Concern {
    const object = change.after ?? change.before;
    const keys = this.#parents.concernedBy(change);
    for (const key of keys) {
      this.#plans.delete(key);
      this.#moving.add(key);
    }
    // A parent of the files is planned as they say, over what is live: both are read anew.
    if (object && this.#inputs.has(refKey(refOf(object)))) return 'inputs';
    return keys.length > 0 ? 'parents' : 'nothing';
  }

  /** Parents whose hook gave no answer are asked again. True: there are some. */
  forgetFailed(): boolean {
    const failed = [...this.#plans].filter(([, { result }]) => result.failedHook !== undefined);
    for (const [key] of failed) this.#plans.delete(key);
    return failed.length > 0;
  }

  recall(controller: Controller, parent: KubeObject): ParentPlan | undefined {
    return this.#plans.get(parentKeyOf(controller, parent));
  }

  keep(controller: Controller, parent: KubeObject, plan: ParentPlan): void {
    const key = parentKeyOf(controller, parent);
    if (!this.#moving.has(key)) this.#plans.set(key, plan);
  }
}
