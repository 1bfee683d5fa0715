// Use case of `metactl install`: the CRDs and the daemon, as inputs of an apply that has no controllers.

import type { InputObject } from '../definitions/index.ts';
import type { InstallOptions as Installation } from '../install/index.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import { runApply } from './apply.ts';
import type { AppEnvironment, ApplyOptions, ApplyOutcome, PlanOutcome } from './options.ts';
import { runPlan } from './plan.ts';
import { diagnosticsOf } from './problems.ts';
import { definitionsForRights, type RightsOptions } from './rights.ts';

export interface InstallOptions
  extends Omit<ApplyOptions, 'fromCluster' | 'controllers' | 'targets' | 'wait' | 'objects'>,
    Pick<RightsOptions, 'related'> {
  /** Definitions of the controllers that there will be: the daemon's rights are made for them. None: it may do everything. */
  readonly paths: readonly string[];
  readonly installation: Omit<Installation, 'rights'>;
  /** Its pods share the parents (--shards). */
  readonly shared?: boolean;
}

/** What it would do. */
export async function planInstall(options: InstallOptions, environment: AppEnvironment): Promise<PlanOutcome> {
  return inputsFor(options, environment, async ({ objects, warnings }) => {
    const { plan, diagnostics } = await runPlan({ ...options, paths: [], objects }, environment);
    return { ...(plan ? { plan } : {}), diagnostics: [...warnings, ...diagnostics] };
  }).catch((error: unknown) => ({ diagnostics: diagnosticsOf(error) }));
}

export async function runInstall(options: InstallOptions, environment: AppEnvironment): Promise<ApplyOutcome> {
  return inputsFor(options, environment, async ({ objects, warnings }) => {
    const outcome = await runApply({ ...options, paths: [], objects, wait: true }, environment);
    return { ...outcome, diagnostics: [...warnings, ...outcome.diagnostics] };
  }).catch(
    (error: unknown): ApplyOutcome => ({
      ...{ status: 'failed', applied: [], waitingOn: [] },
      diagnostics: diagnosticsOf(error),
    }),
  );
}

interface Inputs {
  readonly objects: readonly InputObject[];
  readonly warnings: readonly Diagnostic[];
}

/** Throws DiagnosticError. */
async function inputsFor<T>(
  options: InstallOptions,
  environment: AppEnvironment,
  use: (inputs: Inputs) => Promise<T>,
): Promise<T> {
  const { rights, warnings } = await rightsFor(options, environment);
  const { manifestsOf } = await import('../install/index.ts');
  const { namespace, installation } = options;
  const more = namespace === undefined ? [] : [`--namespace=${namespace}`];
  const manifests = manifestsOf({ ...installation, arguments: [...more, ...installation.arguments], rights });
  const source = { file: 'metactl install', line: 1, column: 1 };
  const objects = manifests.map((object) => ({ object, source }));
  return use({ objects: [...(await crds(environment)), ...objects], warnings });
}

async function rightsFor(
  options: InstallOptions,
  environment: AppEnvironment,
): Promise<{ readonly rights: Installation['rights']; readonly warnings: readonly Diagnostic[] }> {
  if (options.paths.length === 0) return { rights: 'everything', warnings: [EVERYTHING] };
  const { definitions, diagnostics } = await definitionsForRights(options, environment);
  const { LEASE_NAME, rightsOf } = await import('../install/index.ts');
  const { namespace } = options.installation;
  const leases = { namespace, names: [LEASE_NAME], shared: options.shared === true };
  return { rights: rightsOf(definitions, { ...options, purpose: 'daemon', leases }), warnings: diagnostics };
}

const EVERYTHING: Diagnostic = {
  severity: 'warning',
  code: 'ineffective',
  summary:
    "the daemon's role allows it everything in the cluster, as Metacontroller's does: it may have to work for any controller",
  hint: 'With the definitions of the controllers that there will be (-f controllers/) it gets what these need, and no more.',
};

/** In the package and in the sources alike: two folders up from dist/chunks and from src/app. */
const CRDS = new URL('../../deploy/crds', import.meta.url);

async function crds({ files }: AppEnvironment): Promise<readonly InputObject[]> {
  const [{ loadInputs }, { fileURLToPath }] = await Promise.all([
    import('../definitions/index.ts'),
    import('node:url'),
  ]);
  const { inputs, diagnostics } = await loadInputs({ paths: [fileURLToPath(CRDS)], files });
  if (hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  return inputs;
}
