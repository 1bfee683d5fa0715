// How children are written: what the definition says in spec.apply, and what the flags say where it says nothing.

import { givenApply } from '../definitions/index.ts';
import type { ApplySettings, Definition } from '../model/definition.ts';
import type { ManagedFieldsEntry } from '../model/object.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { ourManagers } from '../plan/index.ts';
import type { Controller } from '../reconcile/index.ts';
import type { PlanOptions } from './options.ts';

export type ApplyFlags = Pick<PlanOptions, 'applyMode' | 'fieldManager' | 'forceConflicts'>;

export function withApplySettings(definition: Definition, said: ApplyFlags): Definition {
  // Defaults have been filled in by now: what was written stands in the object itself.
  const given = givenApply(definition.object);
  const apply: ApplySettings = {
    ...definition.apply,
    ...(said.applyMode !== undefined && given['mode'] === undefined ? { mode: said.applyMode } : {}),
    ...(said.fieldManager !== undefined && given['fieldManager'] === undefined
      ? { fieldManager: said.fieldManager }
      : {}),
    ...(said.forceConflicts ? { force: true, conflicts: [] } : {}),
  };
  return { ...definition, apply };
}

/**
 * Which entries of managedFields the caches keep: all of what server-side apply looks at; of the children of others those
 * that tell that they were written by it before.
 */
export function entriesToKeep(
  controllers: readonly Controller[],
): (type: ResourceType, entry: ManagedFieldsEntry) => boolean {
  const whole = new Set<string>();
  const ours = new Set<string>();
  for (const { definition, childTypes } of controllers) {
    for (const manager of ourManagers(definition.apply.fieldManager)) ours.add(manager);
    if (definition.apply.mode === 'server-side') for (const type of childTypes) whole.add(groupResourceOf(type));
  }
  return (type, { operation, manager = '' }) =>
    whole.has(groupResourceOf(type)) || (operation === 'Apply' && ours.has(manager));
}
