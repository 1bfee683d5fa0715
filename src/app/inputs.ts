// What -f brings besides definitions: resources found, namespaces filled in, live objects read.

import type { ClusterClient } from '../cluster/index.ts';
import type { InputObject } from '../definitions/index.ts';
import { mapLimited } from '../kit/concurrency.ts';
import { isJsonArray, isJsonObject } from '../kit/json.ts';
import { type Definition, parentRulesOf } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { formatRef, type Ref, refOf } from '../model/ref.ts';
import { apiVersionOf, groupResourceOf, type ResourceType } from '../model/resource.ts';
import type { Input, PlannedInput } from '../plan/index.ts';
import type { Discovery } from '../ports/discovery.ts';
import { missingPermission } from '../ports/permission.ts';
import { type DryRuns, type InputPlan, reconcileInputs } from '../reconcile/index.ts';
import type { PlanOptions } from './options.ts';
import { withDefaults } from './parent-defaults.ts';

export const DEFAULT_FIELD_MANAGER = 'metactl';

/** Resources: what the server serves, and what the CRDs among the inputs will make it serve. */
export interface Resources {
  byKind(apiVersion: string, kind: string): Promise<ResourceType | undefined>;
  byResource(apiVersion: string, resource: string): Promise<ResourceType | undefined>;
  /** Served now, not only after the inputs are applied. */
  isServed(type: ResourceType): Promise<boolean>;
  all(): Promise<readonly ResourceType[]>;
}

export function resourcesOf(discovery: Discovery, inputs: readonly InputObject[]): Resources {
  const coming = inputs.flatMap(({ object }) => typesOfCrd(object));
  const find = (apiVersion: string, test: (type: ResourceType) => boolean): ResourceType | undefined =>
    coming.find((type) => apiVersionOf(type) === apiVersion && test(type));
  return {
    async byKind(apiVersion, kind) {
      return (await discovery.byKind(apiVersion, kind)) ?? find(apiVersion, (type) => type.kind === kind);
    },
    async byResource(apiVersion, resource) {
      return (
        (await discovery.byResource(apiVersion, resource)) ?? find(apiVersion, (type) => type.resource === resource)
      );
    },
    async isServed(type) {
      return (await discovery.byResource(apiVersionOf(type), type.resource)) !== undefined;
    },
    async all() {
      return [...(await discovery.all()), ...coming];
    },
  };
}

const CRD_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** The resources that a CustomResourceDefinition serves; none for any other object. */
export function typesOfCrd(object: KubeObject): ResourceType[] {
  const spec = object['spec'];
  if (object.kind !== 'CustomResourceDefinition' || !isJsonObject(spec)) return [];
  const { group, names, scope, versions } = spec;
  if (typeof group !== 'string' || !isJsonObject(names) || !isJsonArray(versions)) return [];
  const { kind, plural } = names;
  if (typeof kind !== 'string' || typeof plural !== 'string') return [];
  return versions.flatMap((version) => {
    if (!isJsonObject(version) || typeof version['name'] !== 'string' || version['served'] === false) return [];
    const subresources = isJsonObject(version['subresources']) ? Object.keys(version['subresources']) : [];
    const type = { group, version: version['name'], kind, resource: plural, verbs: CRD_VERBS, subresources };
    return [{ ...type, namespaced: scope !== 'Cluster' }];
  });
}

export interface PreparedInputs {
  readonly planned: readonly PlannedInput[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface InputContext {
  readonly client: ClusterClient;
  readonly resources: Resources;
  readonly definitions: readonly Definition[];
  readonly namespace: string;
  readonly dryRuns: DryRuns;
  readonly options: Pick<PlanOptions, 'concurrency' | 'fieldManager' | 'forceConflicts'>;
}

export async function prepareInputs(inputs: readonly InputObject[], context: InputContext): Promise<PreparedInputs> {
  const diagnostics: Diagnostic[] = [];
  const prepared = await mapLimited(inputs, context.options.concurrency, async (input): Promise<Input | undefined> => {
    const { object, source } = input;
    const type = await context.resources.byKind(object.apiVersion, object.kind);
    if (type) {
      try {
        return await readInput(object, type, context);
      } catch (error) {
        // The others are read all the same, so that everything which is missing is said at once.
        const denied = missingPermission(error);
        if (denied === undefined) throw error;
        diagnostics.push(denied);
        return undefined;
      }
    }
    diagnostics.push({
      severity: 'error',
      code: 'unknown-resource',
      summary: `${formatRef(refOf(object))}: the server does not know kind ${object.kind} of ${object.apiVersion}`,
      hint: 'Check apiVersion and kind, or add the CustomResourceDefinition to the files.',
      source,
    });
    return undefined;
  });
  const known = prepared.filter((input) => input !== undefined);
  const plan = await planKnown(known, context);
  return {
    planned: await withDefaults(plan.inputs, context.client),
    diagnostics: [...diagnostics, ...plan.diagnostics],
  };
}

/** Definitions of kinds come first: what they change says what can be known of their objects. */
async function planKnown(inputs: readonly Input[], context: InputContext): Promise<Omit<InputPlan, 'kind'>> {
  const crds = await planSome(inputs.filter(isDefinition), context, new Set());
  const changing = crds.inputs.filter(({ changes }) => changes.length > 0);
  const inFlux = new Set(changing.flatMap(({ projected }) => typesOfCrd(projected).map(groupResourceOf)));
  const rest = await planSome(
    inputs.filter((input) => !isDefinition(input)),
    context,
    inFlux,
  );
  return { inputs: [...crds.inputs, ...rest.inputs], diagnostics: [...crds.diagnostics, ...rest.diagnostics] };
}

const isDefinition = ({ object }: Input): boolean => object.kind === 'CustomResourceDefinition';

function planSome(
  inputs: readonly Input[],
  { client, options, dryRuns }: InputContext,
  inFlux: ReadonlySet<string>,
): Promise<InputPlan> {
  const { fieldManager = DEFAULT_FIELD_MANAGER, forceConflicts: force = false } = options;
  return reconcileInputs(
    inputs,
    { schemas: client, dryRuns },
    { settings: { fieldManager, force }, isInFlux: (type) => inFlux.has(groupResourceOf(type)) },
  );
}

/** Inputs that can't be applied now. Applying the others would leave half of the files behind and say nothing. */
export function blockedInputs(planned: readonly PlannedInput[]): Diagnostic[] {
  return planned
    .flatMap(({ changes }) => changes.filter(({ action }) => action === 'blocked'))
    .map(({ object, note, reasons }) =>
      reasons.includes('conflict') ? ofOtherManagers(object, note ?? '') : beingDeleted(object),
    );
}

const ofOtherManagers = (object: Ref, note: string): Diagnostic => ({
  severity: 'error',
  code: 'field-conflict',
  summary: `${formatRef(object)} can not be applied as the files say: ${note}`,
  hint: 'Leave these fields out of the files, or take them with --force-conflicts.',
  subject: object,
});

const beingDeleted = (object: Ref): Diagnostic => ({
  severity: 'error',
  code: 'conflict',
  summary: `${formatRef(object)} is being deleted and can not be changed as the files say`,
  hint: 'Apply again when it is gone; if it stays, look at its metadata.finalizers.',
  subject: object,
});

async function readInput(object: KubeObject, type: ResourceType, context: InputContext): Promise<Input> {
  const placed = type.namespaced ? withNamespace(object, context.namespace) : withoutNamespace(object);
  const served = await context.resources.isServed(type);
  const { name, namespace } = placed.metadata;
  const live = served ? await context.client.get(type, name ?? '', type.namespaced ? namespace : undefined) : undefined;
  return { object: placed, type, live, isParent: isParentOfAny(type, context.definitions) };
}

function withNamespace(object: KubeObject, namespace: string): KubeObject {
  if (object.metadata.namespace) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** The server drops the namespace of a cluster-scoped object; a plan that kept it would never be empty. */
function withoutNamespace(object: KubeObject): KubeObject {
  if (object.metadata.namespace === undefined) return object;
  const { namespace: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const isParentOfAny = (type: ResourceType, definitions: readonly Definition[]): boolean =>
  definitions
    .flatMap(parentRulesOf)
    .some(({ resource, apiVersion }) => resource === type.resource && apiVersion === apiVersionOf(type));
