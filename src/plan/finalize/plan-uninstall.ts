import type { Definition } from '../../model/definition.ts';
import { definitionId } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { ParentPlan } from '../../model/plan.ts';
import { refOf } from '../../model/ref.ts';
import type { ResourceType } from '../../model/resource.ts';
import { assemble } from '../parent/result.ts';
import { finalizerOf, planFinalizerRemove } from './finalizer.ts';

export interface Uninstalled {
  readonly definition: Pick<Definition, 'kind' | 'name'>;
  readonly parentType: ResourceType;
  /** All there are, of whatever labels. */
  readonly parents: readonly KubeObject[];
  readonly fieldManager: string;
}

/** A controller goes: its finalizer comes off each parent that has it, and nothing else happens. */
export function planUninstall({ definition, parentType, parents, fieldManager }: Uninstalled): ParentPlan[] {
  const controller = definitionId(definition);
  const context = { controller, fieldManager, step: 1 };
  const note = 'its controller is uninstalled, and no finalize hook is asked';
  return parents.flatMap((parent): ParentPlan[] => {
    const change = planFinalizerRemove({ parent, parentType }, { definition, context, note });
    if (!change) return [];
    const nothing = { waitingOn: [], hookCalls: [], unchanged: 0, observed: 0, diagnostics: [] };
    return [assemble({ controller, parent: refOf(parent), changes: [change], ...nothing })];
  });
}

/** Says for how many parents; undefined: for none. */
export function uninstallWarning({ definition, parents }: Uninstalled): Diagnostic | undefined {
  const finalizer = finalizerOf(definition);
  const kept = parents.filter(({ metadata }) => metadata.finalizers?.includes(finalizer));
  if (kept.length === 0) return undefined;
  const going = kept.filter(isDeleting).length;
  const parts = kept.length === 1 ? '1 parent' : `${kept.length} parents`;
  return {
    severity: 'warning',
    code: 'finalize-skipped',
    summary: `${definitionId(definition)}: ${parts} will be let go without asking the finalize hook: what it would have cleaned up stays behind`,
    ...(going === 0 ? {} : { detail: `${going} of them ${going === 1 ? 'is' : 'are'} being deleted, and gone then.` }),
    hint: 'To have them cleaned up, delete them and apply the definition until everything has settled.',
  };
}
