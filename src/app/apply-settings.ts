// How children are written: what the definition says in spec.apply, and what the flags say where it says nothing.

import { getOwn, isJsonObject } from '../kit/json.ts';
import type { ApplySettings, Definition } from '../model/definition.ts';
import type { ManagedFieldsEntry } from '../model/object.ts';
import { groupResourceOf, type ResourceType } from '../model/resource.ts';
import { ourManagers } from '../plan/index.ts';
import type { Controller } from '../reconcile/index.ts';
import type { PlanOptions } from './options.ts';

export type ApplyFlags = Pick<PlanOptions, 'applyMode' | 'fieldManager' | 'forceConflicts'>;

export function withApplySettings(definition: Definition, said: ApplyFlags): Definition {
  const given = givenIn(definition);
  const apply: ApplySettings = {
    ...definition.apply,
    ...(said.applyMode !== undefined && !given.has('mode') ? { mode: said.applyMode } : {}),
    ...(said.fieldManager !== undefined && !given.has('fieldManager') ? { fieldManager: said.fieldManager } : {}),
    ...(said.forceConflicts ? { force: true, conflicts: [] } : {}),
  };
  return { ...definition, apply };
}

/** Defaults have been filled in by now: what was written stands in the object itself. */
function givenIn({ object }: Definition): ReadonlySet<string> {
  const spec = getOwn(object, 'spec');
  const apply = isJsonObject(spec) ? getOwn(spec, 'apply') : undefined;
  return new Set(isJsonObject(apply) ? Object.keys(apply) : []);
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
