// Small plans for tests of what is done with a plan: shown, confirmed, turned into an exit code.

import type { Change, Plan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';

/** A change of an object that is written like "Pod default/web-0" or "Namespace prod". */
export function aChange(object: string, change: Partial<Change> = {}): Change {
  const [kind = '', path = ''] = object.split(' ');
  const [namespace, name] = path.includes('/') ? path.split('/') : [undefined, path];
  const ref: Ref = { apiVersion: 'v1', kind, name: name ?? '', ...(namespace === undefined ? {} : { namespace }) };
  return {
    id: object,
    action: 'create',
    reasons: ['hook_returned'],
    object: ref,
    type: { group: '', version: 'v1', kind, resource: `${kind.toLowerCase()}s`, namespaced: namespace !== undefined },
    actor: 'metactl',
    step: 1,
    wave: 'children',
    verb: 'create',
    fieldManager: 'metactl',
    force: false,
    guards: [],
    dependsOn: [],
    destructive: 'no',
    fields: [],
    fidelity: { level: 'server' },
    ...change,
  } as Change;
}

export function aPlan(inputs: readonly Change[] = [], plan: Partial<Plan> = {}): Plan {
  return {
    target: { kind: 'sandbox' },
    definitions: [],
    inputs,
    inputsUnchanged: 0,
    parents: [],
    diagnostics: [],
    ...plan,
  };
}
