// The definitions that are installed in the cluster (--from-cluster). One that is wrong is set aside with its errors: the
// others do not depend on it.

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

/** Throws DiagnosticError where there can't be any: the kind is not served, or may not be read. */
export async function readClusterDefinitions(
  client: ClusterClient,
  options: ClusterDefinitionsOptions,
): Promise<ClusterDefinitions> {
  const type = await client.byResource(API_VERSION, 'compositecontrollers');
  if (!type) throw new DiagnosticError([NOT_SERVED]);
  const objects = await withPermission(() => controllersOf(client, type, options.names), options);
  const { definitionFromObject } = await import('../definitions/index.ts');
  const definitions: Definition[] = [];
  const setAside: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  for (const object of objects) {
    const context = { directory: options.directory, fromCluster: true };
    const { definition, diagnostics } = definitionFromObject(object as unknown as JsonObject, context);
    if (definition) definitions.push(definition);
    setAside.push(...diagnostics.filter(({ severity }) => severity === 'error'));
    warnings.push(...diagnostics.filter(({ severity }) => severity !== 'error'));
  }
  if (objects.length === 0) warnings.push(NONE);
  if (options.names === undefined) warnings.push(...(await decoratorsOf(client)));
  return { definitions, setAside, warnings };
}

async function controllersOf(
  client: ClusterClient,
  type: ResourceType,
  names: readonly string[] | undefined,
): Promise<readonly KubeObject[]> {
  if (names === undefined) return (await client.list(type)).items;
  const found = await Promise.all(names.map((name) => client.get(type, name)));
  const missing = names.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) throw new DiagnosticError(missing.map(notFound));
  return found.filter((object) => object !== undefined);
}

async function withPermission<T>(read: () => Promise<T>, { names }: ClusterDefinitionsOptions): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const denied = missingPermission(error);
    if (denied === undefined) throw error;
    const verb = names === undefined ? 'list' : 'get';
    const rule = `{apiGroups: ["metacontroller.k8s.io"], resources: ["compositecontrollers"], verbs: ["${verb}"]}`;
    const named = names === undefined ? ' With --controller NAME only "get" is needed.' : '';
    const detail = 'CompositeControllers are cluster-scoped: -n limits the parents, not where controllers are read.';
    throw new DiagnosticError([{ ...denied, detail, hint: `A ClusterRole needs the rule ${rule}.${named}` }]);
  }
}

/** Metacontroller's other kind. Who may not even list it has none to expect. */
async function decoratorsOf(client: ClusterClient): Promise<Diagnostic[]> {
  const type = await client.byResource(API_VERSION, 'decoratorcontrollers');
  if (!type) return [];
  try {
    const { items } = await client.list(type);
    if (items.length === 0) return [];
    const names = items.map(({ metadata }) => metadata.name).sort();
    const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ');
    return [
      {
        severity: 'warning',
        code: 'unsupported',
        summary: `${items.length === 1 ? '1 DecoratorController is' : `${items.length} DecoratorControllers are`} left out: this version does not run them (${shown})`,
      },
    ];
  } catch (error) {
    if (missingPermission(error) === undefined) throw error;
    return [];
  }
}

const NOT_SERVED: Diagnostic = {
  severity: 'error',
  code: 'unknown-resource',
  summary: 'the cluster has no CompositeControllers: it does not serve metacontroller.k8s.io/v1alpha1',
  hint: 'Install Metacontroller or apply deploy/crds; or give the definitions with -f, without --from-cluster.',
};

const NONE: Diagnostic = {
  severity: 'warning',
  code: 'ineffective',
  summary: 'the cluster has no CompositeController: nothing is reconciled',
};

function notFound(name: string): Diagnostic {
  const hint = 'kubectl get compositecontrollers shows the names.';
  return { severity: 'error', code: 'usage', summary: `the cluster has no CompositeController called ${name}`, hint };
}
