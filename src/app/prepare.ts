// What plan and apply share: files read, cluster opened, inputs planned, controllers resolved, every parent planned.

import type { LoadedInputs } from '../definitions/index.ts';
import { createLimiter, mapLimited } from '../kit/concurrency.ts';
import { digestOf } from '../kit/hash.ts';
import type { Definition } from '../model/definition.ts';
import { definitionId } from '../model/definition.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import type { ParentPlan, Plan } from '../model/plan.ts';
import { checkGuards, type PlannedInput } from '../plan/index.ts';
import type { ObjectCache } from '../ports/cache.ts';
import type { HookCaller } from '../ports/hook.ts';
import {
  type AnswerMemory,
  type Controller,
  DryRuns,
  type RelatedReader,
  reconcileParent,
} from '../reconcile/index.ts';
import { entriesToKeep } from './apply-settings.ts';
import { chooseDefinitions } from './choose-definitions.ts';
import { Confidential } from './confidential.ts';
import { openCaches, resolveControllers } from './controllers.ts';
import { openHooks, patientHooksFor } from './hook-access.ts';
import { blockedInputs, prepareInputs, type Resources, resourcesOf } from './inputs.ts';
import { openWorld, type World } from './open.ts';
import type { AppEnvironment, PlanOptions } from './options.ts';
import { parentsToPlan, targetFilter, unmatchedTargets } from './parents.ts';
import { distinct } from './problems.ts';
import { comingOf, relatedOf } from './related.ts';

export interface Prepared {
  readonly world: World;
  readonly cache: ObjectCache;
  readonly hooks: HookCaller;
  /** Of plan and apply alike: what is tried once is known. */
  readonly dryRuns: DryRuns;
  readonly resources: Resources;
  readonly definitions: readonly Definition[];
  readonly inputs: readonly PlannedInput[];
  readonly controllers: readonly Controller[];
  /** Warnings so far, inputs that are blocked, and `setAside`; other errors were thrown. */
  readonly diagnostics: readonly Diagnostic[];
  /** Errors of controllers of the cluster that are left out. The others go on; the run ends as failed. */
  readonly setAside: readonly Diagnostic[];
  /** The Secrets of this run: everything that is said passes it. */
  readonly confidential: Confidential;
  close(): Promise<void>;
}

/** Throws DiagnosticError with all problems of the files, or of the cluster's resources. Close what it returns. */
export async function prepare(
  options: PlanOptions,
  environment: AppEnvironment,
  { follow, world: given }: { readonly follow: boolean; readonly world?: World },
): Promise<Prepared> {
  const confidential = new Confidential(environment.onHookOutput ?? toStderr);
  const loaded = await loadFiles(options, environment, confidential);
  // One that was opened before is closed by whoever opened it.
  const world = given ?? (await openWorld(options.cluster, environment));
  const opened: { close(): Promise<void> }[] = given ? [] : [world];
  const close = async (): Promise<void> => {
    for (const part of opened.reverse()) await part.close();
  };
  try {
    const resources = resourcesOf(world.client, loaded.inputs);
    const places = { client: world.client, files: environment.files };
    const chosen = await chooseDefinitions(loaded.definitions, options, places);
    const { definitions } = chosen;
    const namespace = options.namespace ?? world.namespace;
    const limit = createLimiter(options.concurrency);
    const dryRuns = new DryRuns({ predictor: world.client, clock: environment.clock, limit });
    const inputs = await prepareInputs(loaded.inputs, {
      client: world.client,
      resources,
      definitions,
      namespace,
      options,
      dryRuns,
    });
    const resolved = await resolveControllers(definitions, resources, options);
    const setAside = [...chosen.setAside, ...(options.fromCluster ? resolved.diagnostics : [])];
    const diagnostics = [
      ...loaded.diagnostics,
      ...world.notices,
      ...chosen.warnings,
      ...inputs.diagnostics,
      ...(options.fromCluster ? [] : resolved.diagnostics),
    ];
    // With permissions missing already, the rest is tried for what else is missing.
    if (hasErrors(diagnostics.filter(({ code }) => code !== 'forbidden'))) throw new DiagnosticError(diagnostics);
    const cache = await makeCache(world, environment, { follow, controllers: resolved.controllers });
    opened.push(cache);
    const hooks = await openHooks(options, environment, { confidential, world });
    opened.push(hooks);
    diagnostics.push(...(await openCaches(resolved.controllers, cache)));
    if (hasErrors(diagnostics)) throw new DiagnosticError(distinct(diagnostics));
    const { controllers } = resolved;
    const { planned } = inputs;
    for (const { projected, live } of planned) confidential.learn([projected, live ?? null]);
    const known = { world, cache, hooks, dryRuns, resources, definitions, inputs: planned, controllers };
    const left = setAside.map(confidential.diagnostic);
    const told = [...diagnostics, ...blockedInputs(planned)].map(confidential.diagnostic);
    return { ...known, diagnostics: [...told, ...left], setAside: left, confidential, close };
  } catch (error) {
    await close();
    throw confidential.error(error);
  }
}

const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

async function loadFiles(
  { paths, objects = [] }: PlanOptions,
  { files }: AppEnvironment,
  confidential: Confidential,
): Promise<LoadedInputs> {
  if (paths.length === 0) return { definitions: [], inputs: objects, diagnostics: [] };
  const { loadInputs } = await import('../definitions/index.ts');
  const loaded = await loadInputs({ paths, files });
  confidential.learn(loaded.inputs.map(({ object }) => object));
  if (hasErrors(loaded.diagnostics)) throw confidential.error(new DiagnosticError(loaded.diagnostics));
  return { ...loaded, inputs: [...loaded.inputs, ...objects] };
}

interface CacheUse {
  readonly follow: boolean;
  readonly controllers: readonly Controller[];
}

async function makeCache(
  world: World,
  { clock }: AppEnvironment,
  { follow, controllers }: CacheUse,
): Promise<ObjectCache> {
  const { createCache } = await import('../cluster/index.ts');
  return createCache(world.client, { follow, clock, keepManagedFields: entriesToKeep(controllers) });
}

/** What whoever plans again and again keeps from one time to the next. */
export interface PlanMemory {
  readonly related: RelatedReader;
  readonly answers: AnswerMemory;
  /** The last plan of a parent around which nothing has moved since. */
  recall(controller: Controller, parent: KubeObject): ParentPlan | undefined;
  keep(controller: Controller, parent: KubeObject, plan: ParentPlan): void;
}

/** The plan of everything, with claims and inputs taken as written. Guards that it breaks stand among its diagnostics. */
export async function makePlan(
  prepared: Prepared,
  options: PlanOptions,
  environment: AppEnvironment,
  memory?: PlanMemory,
): Promise<Plan> {
  const isTarget = targetFilter(options);
  const jobs = prepared.controllers.flatMap((controller) =>
    parentsToPlan(controller, prepared.cache, prepared.inputs, isTarget).map((parent) => ({ controller, parent })),
  );
  const { cache, dryRuns } = prepared;
  const hooks = await patientHooksFor(prepared, options, environment);
  const coming = comingOf(prepared.inputs);
  const related = memory?.related ?? relatedOf(prepared, coming);
  const { client } = prepared.world;
  const ports = { cache, hooks, related, reader: client, schemas: client, dryRuns };
  const { askFinalize = false } = options;
  const parents = await mapLimited(jobs, options.concurrency, async ({ controller, parent }): Promise<ParentPlan> => {
    const known = memory?.recall(controller, parent.object);
    if (known) return known;
    const { plan } = await reconcileParent(controller, parent, ports, {
      foresee: true,
      askFinalize,
      signal: environment.signal,
      coming,
      ...(memory ? { memory: memory.answers } : {}),
    });
    const diagnostics = [...plan.diagnostics, ...checkGuards(plan, options)];
    const checked = { ...plan, diagnostics: diagnostics.map(prepared.confidential.diagnostic) };
    memory?.keep(controller, parent.object, checked);
    return checked;
  });
  const planned = jobs.map(({ parent }) => parent.object);
  return {
    target: prepared.world.target,
    definitions: prepared.definitions.map(summaryOf),
    inputs: prepared.inputs.flatMap(({ changes }) => changes),
    inputsUnchanged: prepared.inputs.filter(({ changes }) => changes.length === 0).length,
    parents,
    diagnostics: [...prepared.diagnostics, ...unmatchedTargets(options.targets ?? [], planned)],
    secrets: prepared.confidential.secrets,
  };
}

function summaryOf(definition: Definition): Plan['definitions'][number] {
  const file = definition.source?.file;
  return {
    id: definitionId(definition),
    digest: digestOf(definition.object),
    ...(file === undefined ? {} : { file }),
  };
}

/** Everything that a plan complains of, its parents' problems included. */
export function allDiagnostics(plan: Plan): Diagnostic[] {
  return [...distinct([...plan.diagnostics, ...plan.parents.flatMap(({ diagnostics }) => diagnostics)])];
}
