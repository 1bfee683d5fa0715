// What a shadow sees and foretells of widgets and their config maps, by hand.

import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../merge/index.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { Change, ParentPlan } from '../model/plan.ts';
import { refOf } from '../model/ref.ts';
import type { CacheChange } from '../ports/cache.ts';
import type { Controller } from '../reconcile/index.ts';
import { type SeenWrite, seenWrites } from '../shadow/index.ts';
import {
  CONFIG_MAPS,
  configMap,
  decoratorOfWidgets,
  ofWidgets,
  ownedMetadata,
  WIDGETS,
  widgetController,
} from './objects.ts';
import { buildChange, buildParent } from './plan-builder.ts';

export const OTHER = ['other'];

const resolved = { parentType: WIDGETS, childTypes: [CONFIG_MAPS], childScopes: [] } as const;
export const WIDGET_CONTROLLER: Controller = { ...ofWidgets(widgetController()), ...resolved };

const decorator = decoratorOfWidgets();
const [rule] = decorator.parents;
if (!rule) throw new Error('a decorator of widgets has a rule for them');
export const WIDGET_DECORATOR: Controller = { definition: decorator, parentRule: rule, ...resolved };

/** A child as the server has it: applied with an annotation by `manager`, who has all its data. */
export function child(
  name: string,
  data: Record<string, string>,
  {
    manager = 'other',
    version = '7',
    metadata = {},
  }: { manager?: string; version?: string; metadata?: ObjectMeta } = {},
): KubeObject {
  const applied = withLastApplied(configMap(name, data), LAST_APPLIED_ANNOTATION);
  const fieldsV1 = {
    'f:data': Object.fromEntries(Object.keys(data).map((key) => [`f:${key}`, {}])),
    'f:metadata': { 'f:annotations': { [`f:${LAST_APPLIED_ANNOTATION}`]: {} } },
  };
  const managedFields = [{ manager, operation: 'Update', fieldsV1 } as const];
  const server = ownedMetadata(name, { resourceVersion: version, managedFields });
  return { ...applied, metadata: { ...applied.metadata, ...server, ...metadata } };
}

export const childChange = (before: KubeObject | undefined, after: KubeObject | undefined): CacheChange => ({
  type: CONFIG_MAPS,
  before,
  after,
});

/** The one write that a change is. */
export function seenOf(change: CacheChange, controller = WIDGET_CONTROLLER): SeenWrite {
  const [seen, ...more] = seenWrites(change, controller, OTHER);
  if (!seen || more.length > 0) throw new Error(`${more.length + (seen ? 1 : 0)} writes and not one`);
  return seen;
}

export const seenChild = (before: KubeObject | undefined, after: KubeObject | undefined): SeenWrite =>
  seenOf(childChange(before, after));

/** What would be written: as the planner has it, without what only the server knows. */
export function foretold(before: KubeObject | undefined, after: KubeObject | undefined): Change {
  const plain = after && withoutServer(after, before);
  const action = !before ? 'create' : after ? 'update' : 'delete';
  return buildChange({ action, type: CONFIG_MAPS, ...(before ? { before } : {}), ...(plain ? { after: plain } : {}) });
}

function withoutServer(object: KubeObject, before: KubeObject | undefined): KubeObject {
  const { uid: _uid, resourceVersion: _version, managedFields: _managed, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(before?.metadata.uid ? { uid: before.metadata.uid } : {}) } };
}

export function planOf(parent: KubeObject, ...changes: readonly Change[]): ParentPlan {
  return buildParent({ controller: 'CompositeController/widgets', parent: refOf(parent), changes });
}
