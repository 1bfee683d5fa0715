// Use case of `metactl rbac`: what the controllers of some definitions need of a cluster, as roles. No cluster is asked.

import type { RightsOptions as CommonRightsOptions, Purpose, RoleOptions } from '../install/index.ts';
import type { Definition } from '../model/definition.ts';
import { definitionId } from '../model/definition.ts';
import { type Diagnostic, DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import type { GroupResource, SummedRight } from '../model/right.ts';
import { asCalled } from './choose-definitions.ts';
import type { AppEnvironment, PlanOptions } from './options.ts';
import { diagnosticsOf } from './problems.ts';

export interface RightsOptions extends Pick<PlanOptions, 'paths' | 'namespace' | 'applyMode' | 'fieldManager'> {
  readonly purpose: Purpose;
  /** What customize hooks ask for. */
  readonly related: readonly GroupResource[];
  readonly leases: CommonRightsOptions['leases'];
  readonly roles: RoleOptions;
}

export interface RightsOutcome {
  readonly roles: readonly KubeObject[];
  readonly rights: readonly SummedRight[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function runRights(options: RightsOptions, environment: AppEnvironment): Promise<RightsOutcome> {
  try {
    const { definitions, diagnostics } = await definitionsForRights(options, environment);
    const { rightsOf, rolesOf, sumRights } = await import('../install/index.ts');
    const rights = rightsOf(definitions, options);
    return { roles: rolesOf(rights, options.roles), rights: sumRights(rights), diagnostics };
  } catch (error) {
    return { roles: [], rights: [], diagnostics: diagnosticsOf(error) };
  }
}

/** Hooks that are programs need no rights, and are not run here. Throws DiagnosticError. */
export async function definitionsForRights(
  options: Pick<RightsOptions, 'paths' | 'related' | 'applyMode' | 'fieldManager'>,
  { files }: Pick<AppEnvironment, 'files'>,
): Promise<{ readonly definitions: readonly Definition[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { loadInputs } = await import('../definitions/index.ts');
  const loaded = await loadInputs({ paths: options.paths, files });
  if (hasErrors(loaded.diagnostics)) throw new DiagnosticError(loaded.diagnostics);
  if (loaded.definitions.length === 0) throw new DiagnosticError([NO_DEFINITIONS]);
  const { definitions, warnings } = await asCalled(loaded.definitions, { ...options, allowLocalHooks: true });
  const asking = definitions.filter(({ hooks }) => 'customize' in hooks && hooks.customize !== undefined);
  const unknown = options.related.length > 0 ? [] : asking.map(relatedUnknown);
  return { definitions, diagnostics: [...loaded.diagnostics, ...warnings, ...unknown] };
}

const NO_DEFINITIONS: Diagnostic = {
  severity: 'error',
  code: 'no-input',
  summary: 'The files hold no definitions of controllers',
  hint: 'Pass CompositeControllers, DecoratorControllers or MapControllers with -f.',
};

const relatedUnknown = (definition: Definition): Diagnostic => ({
  severity: 'warning',
  code: 'ineffective',
  summary: `${definitionId(definition)}: what its customize hook asks for is not known here, and the rights for it are left out`,
  hint: 'Say it: --related RESOURCE.GROUP (as configmaps, deployments.apps), and --related namespaces where it selects namespaces.',
  ...(definition.source ? { source: definition.source } : {}),
});
