// Which parents a run is about: the live ones that the definitions select, and those from the files.

import type { Diagnostic } from '../model/diagnostic.ts';
import { type KubeObject, sortedByPlace } from '../model/object.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { PlannedInput } from '../plan/index.ts';
import type { ObjectCache } from '../ports/cache.ts';
import { type Controller, isParentOf, type ParentToPlan } from '../reconcile/index.ts';
import type { ParentTarget, PlanOptions } from './options.ts';

export function targetFilter({ namespace, targets }: Pick<PlanOptions, 'namespace' | 'targets'>) {
  return (parent: KubeObject): boolean => {
    const own = parent.metadata.namespace;
    if (namespace !== undefined && own !== undefined && own !== namespace) return false;
    return targets === undefined || targets.length === 0 || targets.some((target) => isMeant(target, parent));
  };
}

function isMeant(target: ParentTarget, { kind, metadata }: KubeObject): boolean {
  const named = target.kind.toLowerCase() === kind.toLowerCase() && target.name === metadata.name;
  return named && (target.namespace === undefined || target.namespace === metadata.namespace);
}

/** A target that names nothing is a mistake in the command, not a plan in which nothing is to be done. */
export function unmatchedTargets(targets: readonly ParentTarget[], parents: readonly KubeObject[]): Diagnostic[] {
  return targets
    .filter((target) => !parents.some((parent) => isMeant(target, parent)))
    .map(({ kind, namespace, name }) => ({
      severity: 'error',
      code: 'usage',
      summary: `no parent is called ${[kind, namespace, name].filter((part) => part !== undefined).join('/')}`,
      hint: 'A target is KIND/NAME or KIND/NAMESPACE/NAME of a parent that a definition selects.',
    }));
}

/** Sorted by namespace and name. A parent from a file stands for the live one, as it will be. */
export function parentsToPlan(
  controller: Controller,
  cache: ObjectCache,
  inputs: readonly PlannedInput[],
  isTarget: (parent: KubeObject) => boolean,
): readonly ParentToPlan[] {
  const parents = new Map<string, ParentToPlan>();
  const { parentType, parentScope } = controller;
  for (const object of parentScope ? cache.list(parentScope) : [])
    parents.set(refKey(refOf(object)), { object, live: true });
  for (const { type, projected } of inputs) {
    if (type.group !== parentType.group || type.resource !== parentType.resource) continue;
    const key = refKey(refOf(projected));
    parents.set(key, { object: projected, live: parents.has(key) });
  }
  const wanted = [...parents.values()].filter(({ object }) => isParentOf(controller, object) && isTarget(object));
  return sortedByPlace(wanted, ({ object }) => object);
}
