// Finds the resources of the definitions and opens the caches that hold them.

import { nearest } from '../kit/suggest.ts';
import {
  type Definition,
  definitionId,
  inputRulesOf,
  type ParentRule,
  parentRulesOf,
  type ResourceRule,
} from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { apiVersionOf, type ResourceType } from '../model/resource.ts';
import type { CacheScope, ObjectCache } from '../ports/cache.ts';
import { missingPermission } from '../ports/permission.ts';
import type { Controller } from '../reconcile/index.ts';
import type { Resources } from './inputs.ts';
import { resolveRevisions } from './revision-scope.ts';

export interface ResolvedControllers {
  readonly controllers: readonly Controller[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ControllerPlace {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  /** The caches hold the parents of some shards only, with what is in their namespaces. */
  readonly sharded?: boolean | undefined;
}

export async function resolveControllers(
  definitions: readonly Definition[],
  resources: Resources,
  place: ControllerPlace,
): Promise<ResolvedControllers> {
  const controllers: Controller[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const definition of definitions) {
    const rules = parentRulesOf(definition);
    const resolved = await Promise.all(rules.map((rule) => resolveOne(definition, rule, { resources, ...place })));
    const problems = resolved.flatMap((one) => ('definition' in one ? [] : one));
    diagnostics.push(...problems);
    if (problems.length === 0) controllers.push(...resolved.flatMap((one) => ('definition' in one ? one : [])));
  }
  return { controllers, diagnostics };
}

interface ResolveContext extends ControllerPlace {
  readonly resources: Resources;
}

async function resolveOne(
  definition: Definition,
  parentRule: ParentRule,
  context: ResolveContext,
): Promise<Controller | Diagnostic[]> {
  const { resources } = context;
  const inputRules = inputRulesOf(definition);
  const rules = [parentRule, ...definition.children, ...inputRules];
  const found = await Promise.all(rules.map(({ apiVersion, resource }) => resources.byResource(apiVersion, resource)));
  const missing = rules.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) {
    const all = await resources.all();
    return missing.map((rule) => unknownResource(definition, rule, all));
  }
  const [parentType, ...others] = found as [ResourceType, ...ResourceType[]];
  const childTypes = others.slice(0, definition.children.length);
  const writesStatus = definition.kind !== 'DecoratorController';
  if (writesStatus && !parentType.subresources.includes('status')) return [noStatus(definition, parentType)];
  // The children of a cluster-scoped parent are in all namespaces: half of them would be created again.
  const childContext = parentType.namespaced ? context : { resources };
  const [parentScope, childScopes, inputs, revisions] = await Promise.all([
    parentScopeOf(parentType, context),
    Promise.all(childTypes.map((type) => scopeOf(type, childContext))),
    Promise.all(others.slice(childTypes.length).map((type) => inputOf(type, childContext))),
    resolveRevisions(definition, parentType, context),
  ]);
  if (Array.isArray(revisions)) return revisions;
  return {
    definition,
    parentRule,
    parentType,
    childTypes,
    ...(parentScope ? { parentScope } : {}),
    childScopes,
    ...(inputRules.length === 0 ? {} : { inputs }),
    ...revisions,
  };
}

async function inputOf(type: ResourceType, context: ResolveContext) {
  const scope = await scopeOf(type, context);
  return { type, ...(scope ? { scope } : {}) };
}

/** A cluster-scoped parent is in the shard of its name. */
async function parentScopeOf(type: ResourceType, context: ResolveContext): Promise<CacheScope | undefined> {
  const scope = await scopeOf(type, context);
  return scope && context.sharded ? { ...scope, sharded: true } : scope;
}

/** What has no namespace may concern parents of all shards. */
async function scopeOf(type: ResourceType, context: ResolveContext): Promise<CacheScope | undefined> {
  const { resources, namespace, sharded } = context;
  if (!(await resources.isServed(type))) return undefined;
  if (!type.namespaced) return { type };
  return { type, ...(namespace === undefined ? {} : { namespace }), ...(sharded ? { sharded: true as const } : {}) };
}

/** All that openCaches() opens: of parents, children, inputs and revisions. */
export function heldScopesOf(controllers: readonly Controller[]): CacheScope[] {
  return controllers
    .flatMap(({ parentScope, childScopes, inputs = [], revisions }) => [
      ...[parentScope, ...childScopes],
      ...[...inputs.map(({ scope }) => scope), revisions?.scope],
    ])
    .filter((scope) => scope !== undefined);
}

/**
 * Lists (and, in a cache that follows, watches) everything that the controllers look at. Permissions that are missing for
 * it are all returned together; any other failure is thrown.
 */
export async function openCaches(
  controllers: readonly Controller[],
  cache: ObjectCache,
  holder?: string,
): Promise<Diagnostic[]> {
  const scopes = heldScopesOf(controllers);
  const opened = await Promise.allSettled(scopes.map((scope) => cache.ensure(scope, holder)));
  return opened.flatMap((outcome): Diagnostic[] => {
    if (outcome.status === 'fulfilled') return [];
    const denied = missingPermission(outcome.reason);
    if (denied === undefined) throw outcome.reason;
    return [denied];
  });
}

function unknownResource(definition: Definition, rule: ResourceRule, all: readonly ResourceType[]): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-resource',
    summary: `${definitionId(definition)}: the server does not serve ${rule.resource} of ${rule.apiVersion}`,
    hint: resourceHint(rule, all),
    ...(definition.source ? { source: definition.source } : {}),
  };
}

/** What may have been meant by a resource that is not there. */
export function resourceHint(rule: ResourceRule, all: readonly ResourceType[]): string {
  const sameName = all.find(({ resource }) => resource === rule.resource);
  if (sameName) return `The server has ${rule.resource} in ${apiVersionOf(sameName)}.`;
  const plural = all.find(({ kind }) => kind.toLowerCase() === rule.resource.toLowerCase());
  if (plural) return `Write the plural: ${plural.resource}.`;
  const meant = nearest(
    rule.resource,
    all.map(({ resource }) => resource),
  );
  return meant ? `Did you mean ${meant}?` : 'Install its CustomResourceDefinition, or add it to the files.';
}

function noStatus(definition: Definition, type: ResourceType): Diagnostic {
  return {
    severity: 'error',
    code: 'no-status-subresource',
    summary: `${definitionId(definition)}: parent resource ${type.resource} of ${apiVersionOf(type)} has no status subresource`,
    detail: "A composite controller writes its parent's status, and needs to do so without touching the spec.",
    hint: 'Add subresources: {status: {}} to the version in its CustomResourceDefinition.',
    ...(definition.source ? { source: definition.source } : {}),
  };
}
