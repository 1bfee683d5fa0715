// The definitions that are installed in the cluster (--from-cluster), of every kind. One that is wrong is set aside with its
// errors: the others do not depend on it.

import type { ClusterClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { Definition } from '../model/definition.ts';
import { type Diagnostic, DiagnosticError } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import { missingPermission } from '../ports/permission.ts';

export interface ClusterDefinitions {
  readonly definitions: readonly Definition[];
  /** Errors of the controllers that are left out: told, and no reason to stop. */
  readonly setAside: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export interface ClusterDefinitionsOptions {
  /** Absent: all. Named ones are read one by one, which needs less rights than a list. */
  readonly names?: readonly string[] | undefined;
  /** Absolute: what paths of their hooks are relative to. */
  readonly directory: string;
}

const API_VERSION = 'metacontroller.k8s.io/v1alpha1';

/** Kind → resource: a cluster need not have all. */
export const CONTROLLER_RESOURCES = {
  CompositeController: 'compositecontrollers',
  DecoratorController: 'decoratorcontrollers',
  MapController: 'mapcontrollers',
} as const satisfies Readonly<Record<Definition['kind'], string>>;

/** Throws DiagnosticError where there can't be any: no kind is served, or none may be read. */
export async function readClusterDefinitions(
  client: ClusterClient,
  options: ClusterDefinitionsOptions,
): Promise<ClusterDefinitions> {
  const { objects, warnings } = await controllersOf(client, options.names);
  const { definitionFromObject } = await import('../definitions/index.ts');
  const definitions: Definition[] = [];
  const setAside: Diagnostic[] = [];
  for (const object of objects) {
    const context = { directory: options.directory, fromCluster: true };
    const { definition, diagnostics } = definitionFromObject(object as unknown as JsonObject, context);
    if (definition) definitions.push(definition);
    setAside.push(...diagnostics.filter(({ severity }) => severity === 'error'));
    warnings.push(...diagnostics.filter(({ severity }) => severity !== 'error'));
  }
  if (objects.length === 0) warnings.push(NONE);
  return { definitions, setAside, warnings };
}

async function controllersOf(
  client: ClusterClient,
  names: readonly string[] | undefined,
): Promise<{ readonly objects: readonly KubeObject[]; readonly warnings: Diagnostic[] }> {
  const all = await Promise.all(Object.values(CONTROLLER_RESOURCES).map((one) => client.byResource(API_VERSION, one)));
  const types = all.filter((type) => type !== undefined);
  if (types.length === 0) throw new DiagnosticError([NOT_SERVED]);
  const found = await Promise.all(types.map((type) => readKind(client, type, names)));
  const denied = found.flatMap((one, index) =>
    'denied' in one ? [{ ...one, type: types[index] as ResourceType }] : [],
  );
  const refusals =
    denied.length === 0 ? [] : [deniedDiagnostic(denied, { names, all: denied.length === types.length })];
  if (denied.length === types.length) throw new DiagnosticError(refusals);
  const objects = found.flatMap((one) => ('denied' in one ? [] : one.objects));
  const missing = (names ?? []).filter((name) => !objects.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0) throw new DiagnosticError([...missing.map(notFound), ...refusals]);
  return { objects, warnings: refusals };
}

interface Denied {
  readonly denied: Diagnostic;
}

async function readKind(
  client: ClusterClient,
  type: ResourceType,
  names: readonly string[] | undefined,
): Promise<{ readonly objects: readonly KubeObject[] } | Denied> {
  try {
    if (names === undefined) return { objects: (await client.list(type)).items };
    const found = await Promise.all(names.map((name) => client.get(type, name)));
    return { objects: found.filter((object) => object !== undefined) };
  } catch (error) {
    const denied = missingPermission(error);
    if (denied === undefined) throw error;
    return { denied };
  }
}

interface Asked {
  readonly names: readonly string[] | undefined;
  /** No kind may be read. */
  readonly all: boolean;
}

/** Of one kind that may not be read the others are known all the same: whoever may read those has been given them. */
function deniedDiagnostic(
  denied: readonly (Denied & { readonly type: ResourceType })[],
  { names, all }: Asked,
): Diagnostic {
  const resources = denied.map(({ type }) => JSON.stringify(type.resource)).join(', ');
  const rule = `{apiGroups: ["metacontroller.k8s.io"], resources: [${resources}], verbs: ["${names === undefined ? 'list' : 'get'}"]}`;
  const named = names === undefined ? ' With --controller NAME only "get" is needed.' : '';
  return {
    ...(denied[0] as Denied).denied,
    severity: all ? 'error' : 'warning',
    detail: 'Controllers are cluster-scoped: -n limits the parents, not where controllers are read.',
    hint: `A ClusterRole needs the rule ${rule}.${named}`,
  };
}

const NOT_SERVED: Diagnostic = {
  severity: 'error',
  code: 'unknown-resource',
  summary: 'the cluster has no controllers: it does not serve metacontroller.k8s.io/v1alpha1',
  hint: 'Install Metacontroller or apply deploy/crds; or give the definitions with -f, without --from-cluster.',
};

const NONE: Diagnostic = {
  severity: 'warning',
  code: 'ineffective',
  summary: 'the cluster has no controllers: nothing is reconciled',
};

function notFound(name: string): Diagnostic {
  const resources = Object.values(CONTROLLER_RESOURCES).join(',');
  const hint = `kubectl get ${resources} shows the names.`;
  return { severity: 'error', code: 'usage', summary: `the cluster has no controller called ${name}`, hint };
}
