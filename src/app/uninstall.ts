// Use case of `metactl uninstall`: controllers go, and their finalizers are taken off all parents, so that nobody waits for
// ever for a hook which is not asked any more. Nothing else is touched.

import { executeChanges } from '../apply/index.ts';
import { backoffDelay } from '../kit/backoff.ts';
import { sleep } from '../kit/clock.ts';
import { createLimiter } from '../kit/concurrency.ts';
import { digestOf } from '../kit/hash.ts';
import { definitionId } from '../model/definition.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { changesOfParent, type Plan } from '../model/plan.ts';
import type { AppliedChange, Progress } from '../model/progress.ts';
import { formatRef } from '../model/ref.ts';
import { planUninstall, type Uninstalled, uninstallWarning } from '../plan/index.ts';
import { resourceHint } from './controllers.ts';
import { DEFAULT_FIELD_MANAGER } from './inputs.ts';
import { type Leaving, leavingInCluster, leavingInFiles } from './leaving.ts';
import { openWorld, type World } from './open.ts';
import type { AppEnvironment, ApplyOutcome, UninstallOptions } from './options.ts';
import { diagnosticsOf, distinct } from './problems.ts';

const NOTHING = { applied: [], waitingOn: [] } as const;

export async function runUninstall(options: UninstallOptions, environment: AppEnvironment): Promise<ApplyOutcome> {
  try {
    const { paths, names } = options;
    const given = paths.length === 0 ? undefined : await leavingInFiles(paths, names, environment);
    const world = await openWorld(options.cluster, environment);
    try {
      const leaving = given ?? (await leavingInCluster(names, world));
      return await uninstall(leaving, world, { ...options, environment });
    } finally {
      await world.close();
    }
  } catch (error) {
    return { status: 'failed', ...NOTHING, diagnostics: diagnosticsOf(error) };
  }
}

export interface Uninstalling extends Pick<UninstallOptions, 'namespace' | 'confirm' | 'concurrency' | 'onProgress'> {
  readonly environment: AppEnvironment;
}

/** Plans, asks, and carries it out. Of use to whoever sees a controller go, too. */
export async function uninstall(
  leaving: readonly Leaving[],
  world: Pick<World, 'client' | 'target' | 'notices'>,
  options: Uninstalling,
): Promise<ApplyOutcome> {
  const found = await parentsOf(leaving, world, options.namespace);
  const plan = planOf(found, leaving, world);
  const { diagnostics } = plan;
  if (hasErrors(diagnostics)) return { status: 'failed', plan, ...NOTHING, diagnostics };
  if (plan.parents.length === 0) return { status: 'nothing', plan, ...NOTHING, diagnostics };
  const confirmed = await options.confirm(plan);
  if (confirmed !== 'yes')
    return { status: confirmed === 'no' ? 'declined' : 'unconfirmed', plan, ...NOTHING, diagnostics };
  return carryOut({ plan, leaving, world, options });
}

interface Found {
  readonly uninstalled: readonly Uninstalled[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Read past every cache, in all namespaces unless one is given. */
async function parentsOf(
  leaving: readonly Leaving[],
  { client }: Pick<World, 'client'>,
  namespace: string | undefined,
): Promise<Found> {
  const diagnostics: Diagnostic[] = [];
  const uninstalled = await Promise.all(
    leaving.map(async (definition): Promise<Uninstalled | undefined> => {
      const { apiVersion, resource } = definition.parent;
      const parentType = await client.byResource(apiVersion, resource);
      if (!parentType) {
        diagnostics.push(notServed(definition, resourceHint(definition.parent, await client.all())));
        return undefined;
      }
      const within = namespace !== undefined && parentType.namespaced ? { namespace } : {};
      const { items } = await client.list(parentType, within);
      return { definition, parentType, parents: items, fieldManager: DEFAULT_FIELD_MANAGER };
    }),
  );
  return { uninstalled: uninstalled.filter((one) => one !== undefined), diagnostics };
}

/** No error: with its CRD, all parents are gone, and there is nothing left to do. */
const notServed = (definition: Leaving, hint: string): Diagnostic => ({
  severity: 'warning',
  code: 'unknown-resource',
  summary: `${definitionId(definition)}: the server does not serve ${definition.parent.resource} of ${definition.parent.apiVersion}, so there are no parents`,
  hint,
});

function planOf(
  found: Found,
  leaving: readonly Leaving[],
  { target, notices }: Pick<World, 'target' | 'notices'>,
): Plan {
  const warnings = found.uninstalled.flatMap((one) => uninstallWarning(one) ?? []);
  return {
    target,
    definitions: [...Map.groupBy(leaving, definitionId)].map(([id, parts]) => ({
      id,
      digest: digestOf(parts.map(({ parent }) => ({ ...parent }))),
    })),
    inputs: [],
    inputsUnchanged: 0,
    parents: found.uninstalled.flatMap(planUninstall),
    diagnostics: distinct([...notices, ...found.diagnostics, ...warnings]),
  };
}

interface Work {
  readonly plan: Plan;
  readonly leaving: readonly Leaving[];
  readonly world: Pick<World, 'client' | 'target' | 'notices'>;
  readonly options: Uninstalling;
}

// 15 s in all: a server that restarts is back by then.
const ATTEMPTS = 6;
const RETRY = { base: 500, cap: 30_000 };

/** Until no parent has the finalizer: what moved meanwhile, or failed in a way that may pass, is tried again. */
async function carryOut({ plan, leaving, world, options }: Work): Promise<ApplyOutcome> {
  const { signal, clock } = options.environment;
  const applied: AppliedChange[] = [];
  let left = plan;
  for (let attempt = 0; ; attempt++) {
    const ended = await execute(left, world, options);
    applied.push(...ended);
    const outcome = { plan, applied, waitingOn: [] };
    const problems = problemsOf(ended);
    const diagnostics = [...plan.diagnostics, ...problems];
    if (signal.aborted) return { ...outcome, status: 'interrupted', diagnostics };
    const lost = ended.some(({ outcome: { kind } }) => kind === 'failed') && !ended.some(mayPass);
    if (lost || attempt === ATTEMPTS) return { ...outcome, status: 'failed', diagnostics };
    left = planOf(await parentsOf(leaving, world, options.namespace), leaving, world);
    if (left.parents.length === 0) return { ...outcome, status: 'settled', diagnostics: plan.diagnostics };
    const back = putBack(left, applied);
    if (back) return { ...outcome, status: 'failed', diagnostics: [...plan.diagnostics, back] };
    await sleep(clock, backoffDelay(RETRY, attempt));
  }
}

function execute({ parents }: Plan, { client }: Work['world'], options: Uninstalling): Promise<AppliedChange[]> {
  const { concurrency, environment } = options;
  const onProgress = (progress: Progress): void => options.onProgress?.(progress);
  const ports = { writer: client, reader: client, cache: { record: () => undefined } };
  const changes = parents.flatMap(changesOfParent);
  return executeChanges(changes, ports, { limit: createLimiter(concurrency), signal: environment.signal, onProgress });
}

const mayPass = ({ outcome }: AppliedChange): boolean =>
  outcome.kind === 'stale' || (outcome.kind === 'failed' && !outcome.permanent);

const problemsOf = (ended: readonly AppliedChange[]): Diagnostic[] =>
  ended.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.diagnostic] : []));

/** The finalizer is there again: its controller still runs. */
function putBack({ parents }: Plan, applied: readonly AppliedChange[]): Diagnostic | undefined {
  const done = new Set(applied.flatMap(({ change, outcome }) => (outcome.kind === 'done' ? change.object.uid : [])));
  const again = parents.find(({ parent }) => done.has(parent.uid));
  if (!again) return undefined;
  return {
    severity: 'error',
    code: 'not-stable',
    summary: `${again.controller}: its finalizer is on ${formatRef(again.parent)} again`,
    detail: 'The controller still runs somewhere, and puts it back.',
    hint: 'Stop it first: delete the controller object, or stop whatever runs it.',
    subject: again.parent,
  };
}
