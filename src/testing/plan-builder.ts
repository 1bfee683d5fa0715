// Plans by hand, for tests of whoever reads them: one change of each kind, or what a test wants instead.

import { diffObjects } from '../diff/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, ParentPlan, Plan } from '../model/plan.ts';
import { refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import { splitApiVersion } from '../model/resource.ts';
import { WAVES } from '../model/vocabulary.ts';

type ChangeDraft = Partial<Omit<Change, 'object' | 'fields'>> & Pick<Change, 'action'>;

/** A change with its fields computed; verb, intent and guards as the planner would give them, unless told otherwise. */
export function buildChange(draft: ChangeDraft): Change {
  const subject = draft.before ?? draft.after;
  if (!subject) throw new Error('a change needs an object before or after');
  const object = refOf(subject);
  const verb = verbOf(draft.action);
  return {
    id: `1/children/${object.kind}/${object.name}${draft.subresource ? '/status' : ''}`,
    reasons: ['hook_returned'],
    object,
    type: typeOf(subject),
    actor: 'metactl',
    controller: 'CompositeController/web',
    step: 1,
    wave: 'children',
    ...(verb === undefined ? {} : { verb }),
    fieldManager: 'metactl',
    force: false,
    guards: [],
    dependsOn: [],
    destructive: draft.action === 'delete' ? 'deletes' : draft.action === 'recreate' ? 'replaces' : 'no',
    fields: diffObjects(draft.before, draft.after),
    fidelity: { level: 'client' },
    ...draft,
  };
}

/** The same for an object of which only the name matters, written as "Pod default/web-0" or "Namespace prod". */
export function buildChangeOf(action: Change['action'], object: string): Change {
  const [kind = '', path = ''] = object.split(' ');
  const [name = '', namespace] = path.split('/').reverse();
  const metadata = namespace === undefined ? { name } : { name, namespace };
  const state: KubeObject = { apiVersion: 'v1', kind, metadata };
  return buildChange({ action, ...(action === 'create' ? { after: state } : { before: state }) });
}

function verbOf(action: Change['action']): Change['verb'] {
  if (action === 'keep' || action === 'skip' || action === 'blocked') return undefined;
  if (action === 'create') return 'create';
  return action === 'delete' || action === 'recreate' ? 'delete' : 'update';
}

function typeOf({ apiVersion, kind }: KubeObject): ResourceType {
  const resource = `${kind.toLowerCase()}s`;
  return { ...splitApiVersion(apiVersion), kind, resource, namespaced: true, verbs: [], subresources: [] };
}

export interface ParentDraft extends Partial<Omit<ParentPlan, 'steps'>> {
  readonly changes?: readonly Change[];
}

export function buildParent({ changes = [], ...draft }: ParentDraft): ParentPlan {
  const numbers = [...new Set(changes.map(({ step }) => step))].sort((a, b) => a - b);
  const steps = numbers.map((number) => {
    const mine = changes.filter(({ step }) => step === number);
    const waves = WAVES.map((name) => ({ name, changes: mine.filter(({ wave }) => wave === name) }));
    return { number, waves: waves.filter((wave) => wave.changes.length > 0) };
  });
  return {
    controller: 'CompositeController/web',
    parent: { apiVersion: 'example.com/v1', kind: 'Web', namespace: 'default', name: 'shop', uid: 'parent-uid' },
    steps,
    result: { kind: changes.length > 0 ? 'retry' : 'done', waitingOn: [] },
    hookCalls: [{ id: 'call-1', hookName: 'sync', hookKind: 'module', children: 3 }],
    unchanged: 0,
    observed: 0,
    diagnostics: [],
    ...draft,
  };
}

export function buildPlan(draft: Partial<Plan> = {}): Plan {
  return {
    target: { kind: 'cluster', name: 'staging', serverVersion: 'v1.36.3' },
    definitions: [{ id: 'CompositeController/web', digest: 'abc123', file: 'controller.yaml' }],
    inputs: [],
    inputsUnchanged: 0,
    parents: [],
    diagnostics: [],
    ...draft,
  };
}
