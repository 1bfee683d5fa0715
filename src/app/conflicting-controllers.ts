// Two CompositeControllers with the same parents and a kind of children in common: children are told apart by their owner and
// the parent's selector alone, so each takes the other's for its own, and deletes what it does not want. Decorators and map
// controllers mark their children.

import type { ChildRule, CompositeDefinition, Definition, LabelSelector, ResourceRule } from '../model/definition.ts';
import { definitionId } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

/** A warning for each pair: which parents a selector means in the end only the cluster knows. */
export function conflictingControllers(definitions: readonly Definition[]): readonly Diagnostic[] {
  const composites = definitions.filter((definition) => definition.kind === 'CompositeController');
  return composites.flatMap((definition, index) =>
    composites.slice(0, index).flatMap((other) => conflictOf(other, definition)),
  );
}

function conflictOf(one: CompositeDefinition, other: CompositeDefinition): readonly Diagnostic[] {
  const common = one.children.filter((child) => other.children.some((its) => isSame(its, child)));
  if (!isSame(one.parent, other.parent) || common.length === 0 || areDisjoint(one, other)) return [];
  const names = common.map(({ resource }: ChildRule) => resource).join(', ');
  const { source } = other;
  return [
    {
      severity: 'warning',
      code: 'conflicting-controllers',
      summary: `${definitionId(one)} and ${definitionId(other)} have the same parents (${one.parent.resource}) and children of the same kind (${names})`,
      detail: 'Each takes the children of the other for its own, and deletes those that it does not want.',
      hint: 'Make them one controller, give spec.parentResource of both a labelSelector, or make one a DecoratorController.',
      ...(source ? { source } : {}),
    },
  ];
}

const groupOf = ({ apiVersion }: ResourceRule): string => apiVersion.replace(/\/?[^/]*$/, '');

const isSame = (a: ResourceRule, b: ResourceRule): boolean => a.resource === b.resource && groupOf(a) === groupOf(b);

/** No parent can have both labels. */
function areDisjoint({ parent: one }: CompositeDefinition, { parent: other }: CompositeDefinition): boolean {
  const labels = ({ matchLabels }: LabelSelector): readonly (readonly [string, string])[] =>
    Object.entries(matchLabels);
  const its = new Map(labels(other.labelSelector));
  return labels(one.labelSelector).some(([key, value]) => (its.get(key) ?? value) !== value);
}
