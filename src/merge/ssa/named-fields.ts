// A declared field that has owned fields below it belongs to who owns those, though FieldsV1 does not say so (map keys and
// list items are members of their own). Removal must know: what nobody owns anything below goes with its last field.

import type { MergeSchema, TypeRef } from '../../schema/index.ts';
import type { FieldSet } from './field-set.ts';
import { fieldName, isKeyElement, type PathElement } from './path-element.ts';

/** The set with each declared field that has children as a member. */
export function withNamedFields(set: FieldSet, schema: MergeSchema, type: TypeRef | undefined): FieldSet {
  if (set.children.size === 0) return set;
  const atom = type && schema.resolve(type);
  const members = new Set<PathElement>(set.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    let below: TypeRef | undefined;
    const name = fieldName(element);
    if (name !== undefined && atom?.map !== undefined) {
      const field = atom.map.fields.get(name);
      if (field !== undefined) members.add(element);
      below = field?.type ?? atom.map.elementType;
    } else if (atom?.list !== undefined && isKeyElement(element)) below = atom.list.elementType;
    children.set(element, withNamedFields(child, schema, below));
  }
  return { members, children };
}
