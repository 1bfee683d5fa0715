import type { LabelSelector, ResourceController } from '../model/definition.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import { childSelectorOf, matchesSelector, selectsAsInput, selectsParent } from '../plan/index.ts';
import type { CacheScope } from '../ports/cache.ts';

/** A definition, as it concerns the parents of one resource, with the resources found and the caches that hold them. */
export interface Controller extends ResourceController {
  readonly parentType: ResourceType;
  /** One for each child rule, in the definition's order. */
  readonly childTypes: readonly ResourceType[];
  /** Absent while the resource is not served: its CRD comes with the inputs of this very plan. */
  readonly parentScope?: CacheScope;
  readonly childScopes: readonly (CacheScope | undefined)[];
  /** Of the parents' ControllerRevisions, where a child rule is rolling. */
  readonly revisions?: { readonly type: ResourceType; readonly scope?: CacheScope };
  /** One for each input rule of a map controller, in the definition's order. */
  readonly inputs?: readonly { readonly type: ResourceType; readonly scope?: CacheScope }[];
}

/** Is the object one of the controller's parents: selected, or still carrying the controller's finalizer? */
export function isParentOf(controller: Controller, object: KubeObject): boolean {
  return selectsParent(controller, object);
}

/** May objects without a controller become its parents' children? */
export function adopts({ definition }: Controller): boolean {
  return definition.kind !== 'DecoratorController';
}

/** Do the parents of the controller say by labels which orphans they adopt? */
export const adoptsByLabels = ({ definition }: Controller): boolean => definition.kind === 'CompositeController';

/** Which orphans the parent adopts. undefined: none, as it does not say. */
export function childSelectorIn({ definition }: Controller, parent: KubeObject): LabelSelector | undefined {
  if (definition.kind !== 'CompositeController') return undefined;
  const selector = childSelectorOf(definition, parent);
  return 'code' in selector ? undefined : selector;
}

export const matchesLabels = matchesSelector;

/** Of a map controller: is the object an input of the parent, as it is now? */
export function isInputOf(parent: KubeObject, object: KubeObject): boolean {
  return selectsAsInput(parent, object);
}
