// The driver: builds the view, asks the planner, fetches what it needs, asks again. Keeps the transcript.

import { BugError, hasErrors } from '../model/diagnostic.ts';
import type { Answer, Answers, HookAnswer, HookCall, Lookup, Need, RelatedNeed } from '../model/need.ts';
import { controllerOf, type KubeObject } from '../model/object.ts';
import type { ParentPlan } from '../model/plan.ts';
import { keyOf } from '../model/ref.ts';
import { apiVersionOf } from '../model/resource.ts';
import type { ParentView } from '../model/view.ts';
import { planParent } from '../plan/index.ts';
import type { ObjectCache } from '../ports/cache.ts';
import type { HookCaller } from '../ports/hook.ts';
import type { Reader } from '../ports/read.ts';
import type { SchemaReader } from '../ports/schemas.ts';
import type { AnswerMemory } from './answer-memory.ts';
import type { DryRunner } from './dry-runs.ts';
import type { RelatedReader } from './related.ts';
import type { Controller } from './resolved.ts';
import { type ComingObject, type ParentToPlan, viewOf } from './view.ts';

export interface ReconcilePorts {
  readonly cache: ObjectCache;
  readonly reader: Reader;
  readonly hooks: HookCaller;
  readonly related: RelatedReader;
  readonly schemas: SchemaReader;
  readonly dryRuns: DryRunner;
}

export interface ReconcileOptions {
  /** Claims taken as written (plan), or a barrier (apply). */
  readonly foresee: boolean;
  /** In a plan, finalize hooks are asked whatever they say of their side effects. */
  readonly askFinalize?: boolean;
  readonly signal: AbortSignal;
  /** Keeps the last answer of each parent, so that the hook is called only when its request changed. */
  readonly memory?: AnswerMemory;
  /** What is not written yet and is to be seen as a map controller's input as if it were. */
  readonly coming?: readonly ComingObject[];
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
  const view = viewOf(controller, parent, { cache: ports.cache, coming: options.coming });
  const answers = new Map<string, Answer>();
  const asked: RelatedNeed[] = [];
  const { foresee, askFinalize = false } = options;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const planning = planParent(controller, view, answers, { foresee, askFinalize });
    if (planning.kind === 'plan') {
      options.memory?.keepOnly(planning.plan, answers);
      if (planning.echo) options.memory?.keepEcho(planning.plan, planning.echo);
      // Where it failed, what the parent looked at before may be what puts it right.
      if (!hasErrors(planning.plan.diagnostics))
        ports.related.used(planning.plan.controller, planning.plan.parent, asked);
      return { plan: planning.plan, transcript: answers };
    }
    asked.push(...planning.needs.filter((need) => need.kind === 'related'));
    const asking = { controller, view, ports, options };
    const fetched = await Promise.all(planning.needs.map((need) => fetchNeed(need, asking)));
    for (const answer of fetched) answers.set(answer.id, answer);
  }
  throw new BugError(`planning ${keyOf(parent.object)} did not come to an end after ${MAX_ROUNDS} rounds`);
}

interface Asking {
  readonly controller: Controller;
  readonly view: ParentView;
  readonly ports: ReconcilePorts;
  readonly options: ReconcileOptions;
}

async function fetchNeed(need: Need, { controller, view, ports, options }: Asking): Promise<Answer> {
  switch (need.kind) {
    case 'hook':
      return askHook(need, ports.hooks, options);
    case 'lookup':
      return { kind: 'lookup', id: need.id, objects: lookUp(need, { controller, view, ports }) };
    case 'related':
      return ports.related.read(need);
    case 'schema':
      return { kind: 'schema', id: need.id, schema: await ports.schemas.schemaOf(need.type) };
    case 'dry-run':
      return ports.dryRuns.ask(need);
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

/**
 * A child of this parent that came after the view was made is not seen: a planning is of one moment. It would look like
 * somebody else's, and what is to be created like something that is there already.
 */
function lookUp(need: Lookup, { controller, view, ports: { cache } }: Pick<Asking, 'controller' | 'view' | 'ports'>) {
  const isLater = (object: KubeObject): boolean =>
    controllerOf(object)?.uid === view.parent.metadata.uid &&
    view.parentLive &&
    !view.children.some(({ objects }) => objects.some(({ metadata }) => metadata.uid === object.metadata.uid));
  return need.refs.flatMap((ref) => {
    const index = controller.childTypes.findIndex(
      (type) => type.kind === ref.kind && ref.apiVersion === apiVersionOf(type),
    );
    const scope = controller.childScopes[index];
    const found = scope && cache.get(scope, ref.name, ref.namespace);
    return found && !isLater(found) ? found : [];
  });
}
