// One round of one parent: planned, held back where it does not stay, carried out, and what follows from that. It decides
// nothing about when: that is the loop's, by what is returned.

import { type ExecutePorts, executeStep, isPermanent, readFailureOf } from '../apply/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Limiter } from '../kit/concurrency.ts';
import { getOwn, isJsonObject } from '../kit/json.ts';
import { definitionId, mainHookOf } from '../model/definition.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan, type Step } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { formatRef, refKey, refOf } from '../model/ref.ts';
import type { WaveName } from '../model/vocabulary.ts';
import type { ObjectCache } from '../ports/cache.ts';
import { AnswerMemory, type ReconcilePorts, reconcileParent } from '../reconcile/index.ts';
import { Course } from './course.ts';
import { Moves, OwnWrites } from './own-writes.ts';
import type { FoundParent, ParentKey } from './parents.ts';
import { type RoundFacts, Stability, type Verdict } from './stability.ts';
import { type Concluded, conclude, concludeUnread, type Held, type Patience, type Standing } from './standing.ts';

export interface RoundPorts extends Omit<ReconcilePorts, 'cache'>, Omit<ExecutePorts, 'cache' | 'reader'> {
  readonly cache: ObjectCache;
  readonly clock: Clock;
}

export interface RoundOptions {
  /** Problems that stop everything before anything of this parent is written. */
  readonly guard: (plan: ParentPlan) => readonly Diagnostic[];
  readonly patience: Patience;
  /** Requests in flight over all parents. */
  readonly limit: Limiter;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Whoever writes for the parent, as of when its round begins. Default: the port. */
  readonly writerOf?: ((parent: KubeObject) => RoundPorts['writer']) | undefined;
  /** Default: they are carried out. */
  readonly execute?: typeof executeStep | undefined;
}

export type RoundEnd =
  | (Concluded & {
      readonly kind: 'ended';
      /** Absent: it could not be planned, and the standing says why. */
      readonly plan?: ParentPlan;
      readonly applied: readonly AppliedChange[];
    })
  | { readonly kind: 'guarded'; readonly plan: ParentPlan; readonly problems: readonly Diagnostic[] };

type Before = Pick<Standing, 'failures' | 'asks'>;

export class Rounds {
  /** Which changes of the caches are whose doing. */
  readonly own = new OwnWrites<ParentKey>();
  readonly moves = new Moves<ParentKey>(this.own);
  readonly #ports: RoundPorts;
  readonly #options: RoundOptions;
  readonly #memory = new AnswerMemory();
  readonly #stability = new Stability();
  readonly #told = new Set<string>();
  readonly #courses = new Map<ParentKey, Course>();

  constructor(ports: RoundPorts, options: RoundOptions) {
    this.#ports = ports;
    this.#options = options;
  }

  /** Throws the signal's reason when that is aborted, and what is a defect of ours. */
  async run(key: ParentKey, found: FoundParent, before: Before): Promise<RoundEnd> {
    const moved = this.moves.takeForeign(key);
    const course = this.#courseOf(key);
    course.begin(moved, found.parent);
    // Whoever writes for it is settled before anything is read.
    const ports = this.#portsOf(key, found);
    const planned = await this.#plan(found, before);
    if ('standing' in planned) return { kind: 'ended', ...planned, applied: [] };
    const { guard, patience } = this.#options;
    const problems = guard(planned);
    if (problems.length > 0) return { kind: 'guarded', plan: planned, problems };
    const round = course.factsOf(planned);
    const { steps, held } = this.#restrain(planned, course, round);
    const applied = await this.#carryOut(course, steps, ports);
    const done = applied.filter(({ outcome }) => outcome.kind === 'done').map(({ change }) => change);
    for (const change of done) this.#stability.record(change, round);
    course.end(planned, done);
    if (hasErrors(planned.diagnostics) || applied.some(isRefused)) this.#forgetAnswers(found);
    const { definition } = found.controller;
    const { resyncPeriodSeconds } = definition;
    const hookKind = planned.result.failedHook ?? mainHookOf(definition).kind;
    const concluded = conclude({ plan: planned, hookKind, resyncPeriodSeconds, applied, held, before, patience });
    return { kind: 'ended', ...concluded, plan: planned, applied };
  }

  /** The next round asks the hooks even if nothing of their requests changed. */
  askAgain({ controller, parent }: FoundParent): void {
    this.#memory.forget(definitionId(controller.definition), refOf(parent));
  }

  /** Nothing is remembered of a parent that is one no more. */
  drop(key: ParentKey, { controller, parent }: FoundParent): void {
    this.moves.drop(key);
    this.#courses.delete(key);
    this.#forgetAnswers({ controller, parent });
    this.#ports.related.used(definitionId(controller.definition), refOf(parent), []);
  }

  /** Of all its hooks. Where nothing good came of them, somebody may put the hook right, and no watch tells of that. */
  #forgetAnswers({ controller, parent }: FoundParent): void {
    this.#memory.drop(definitionId(controller.definition), refOf(parent));
  }

  #portsOf(key: ParentKey, { parent }: FoundParent): ExecutePorts {
    const writer = this.#options.writerOf?.(parent) ?? this.#ports.writer;
    return { ...this.#ports, writer, cache: this.own.recordingInto(this.#ports.cache, key) };
  }

  #courseOf(key: ParentKey): Course {
    const known = this.#courses.get(key);
    if (known) return known;
    const course = new Course(this.#ports.clock);
    this.#courses.set(key, course);
    return course;
  }

  async #plan({ controller, parent }: FoundParent, before: Before): Promise<ParentPlan | Concluded> {
    const { signal, onProgress, patience } = this.#options;
    const options = { foresee: false, signal, memory: this.#memory };
    try {
      const { plan } = await reconcileParent(controller, { object: parent, live: true }, this.#ports, options);
      const changes = changesOfParent(plan).filter(isWrite).length;
      onProgress({ kind: 'parent.planned', parent: plan.parent, controller: plan.controller, changes });
      return plan;
    } catch (error) {
      if (signal.aborted) throw error;
      const subject = refOf(parent);
      const diagnostic = { ...readFailureOf(formatRef(subject), error), subject };
      return concludeUnread(diagnostic, { permanent: isPermanent(error), failuresBefore: before.failures, patience });
    }
  }

  /**
   * Where children are written, the hook is asked again at once, and mostly says another status: in a loop without end it
   * is that one which is written. Never put off twice in a row, and not where something went wrong.
   */
  async #carryOut(course: Course, steps: readonly Step[], ports: ExecutePorts): Promise<AppliedChange[]> {
    const putOff = this.#options.patience === 'endless' && !course.statusOwed && mayPutOffStatus(steps);
    course.statusOwed = false;
    if (!putOff) return this.#execute(steps, ports);
    const execute = (wanted: (name: WaveName) => boolean): Promise<AppliedChange[]> =>
      this.#execute(
        steps.map((step) => withWaves(step, wanted)),
        ports,
      );
    const applied = await execute((name) => name !== 'status');
    if (applied.every(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'unneeded')) {
      course.statusOwed = true;
      return applied;
    }
    return [...applied, ...(await execute((name) => name === 'status'))];
  }

  async #execute(steps: readonly Step[], ports: ExecutePorts): Promise<AppliedChange[]> {
    const { execute = executeStep } = this.#options;
    const applied: AppliedChange[] = [];
    for (const step of steps) applied.push(...(await execute(step, ports, this.#options)));
    return applied;
  }

  /** Takes out what does not stay when it is written, until its delay is over. */
  #restrain(
    plan: ParentPlan,
    course: Course,
    round: RoundFacts,
  ): { readonly steps: readonly Step[]; readonly held: Held } {
    const verdicts = new Map<Change, Verdict>();
    for (const change of changesOfParent(plan).filter(isWrite)) {
      const verdict = this.#stability.judge(change, round) ?? course.judge(change, round);
      if (verdict) verdicts.set(change, verdict);
    }
    for (const { diagnostic } of verdicts.values()) this.#tellOnce(diagnostic);
    const waits = [...verdicts.values()].map(({ waitMs }) => waitMs).filter((waitMs) => waitMs > 0);
    const goes = (change: Change): boolean => (verdicts.get(change)?.waitMs ?? 0) === 0;
    const steps = plan.steps.map((step) => ({
      ...step,
      waves: step.waves.map((wave) => ({ ...wave, changes: wave.changes.filter(goes) })),
    }));
    const diagnostics = [...verdicts.values()].map(({ diagnostic }) => diagnostic);
    return { steps, held: { changes: waits.length, waitMs: Math.min(...waits), diagnostics } };
  }

  #tellOnce(diagnostic: Diagnostic): void {
    const key = `${diagnostic.subject ? refKey(diagnostic.subject) : ''} ${diagnostic.path}`;
    if (this.#told.has(key)) return;
    // Told twice once in a long while is better than a list that grows for months.
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.add(key);
    this.#options.onProgress({ kind: 'diagnostic', diagnostic });
  }
}

/**
 * Children are written, which the hook will see; and nothing that is the parent's own but its status, which was up to date
 * with the parent: one that is written for the first time, or for a new spec, mostly stays, and to put it off would cost
 * one more call of the hook.
 */
function mayPutOffStatus(steps: readonly Step[]): boolean {
  const waves = steps.flatMap((step) => step.waves).filter(({ changes }) => changes.some(isWrite));
  const others = waves.filter(({ name }) => name !== 'status');
  const statuses = waves.filter(({ name }) => name === 'status').flatMap(({ changes }) => changes.filter(isWrite));
  const onlyChildren = others.length > 0 && others.every(({ name }) => name === 'children' || name === 'revision');
  return onlyChildren && statuses.length > 0 && statuses.every(followsChildren);
}

function followsChildren({ subresource, before }: Change): boolean {
  const status = before?.['status'];
  const observed = isJsonObject(status) ? getOwn(status, 'observedGeneration') : undefined;
  return subresource === 'status' && observed !== undefined && observed === before?.metadata.generation;
}

const withWaves = (step: Step, wanted: (name: WaveName) => boolean): Step => ({
  ...step,
  waves: step.waves.filter(({ name }) => wanted(name)),
});

const MOST_TOLD = 10_000;

/** The server will not have it, whatever is tried again. */
const isRefused = ({ outcome }: AppliedChange): boolean => outcome.kind === 'failed' && outcome.permanent;
