// The hooks of one controller, checked against the shapes of its kind: `export const { sync, finalize } = defineDecorator({…})`.
// A hook that shall run without the package says the same by types alone: `export const { sync } = {…} satisfies CompositeHooks<…>`.

import type { KubeObject } from '../model/object.ts';
import type { CompositeHook } from './composite.ts';
import type { CustomizeHook } from './customize.ts';
import type { DecoratorHook } from './decorator.ts';
import type { MapFinalizeHook, MapHook, TombstoneHook } from './map.ts';
import type { ObjectOfKind } from './shapes.ts';

export interface CompositeHooks<
  Parent extends ObjectOfKind = KubeObject,
  Children extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> {
  readonly sync: CompositeHook<Parent, Children, Related>;
  readonly finalize?: CompositeHook<Parent, Children, Related>;
  readonly customize?: CustomizeHook<Parent>;
}

export interface DecoratorHooks<
  Decorated extends ObjectOfKind = KubeObject,
  Attachments extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> {
  readonly sync: DecoratorHook<Decorated, Attachments, Related>;
  readonly finalize?: DecoratorHook<Decorated, Attachments, Related>;
  readonly customize?: CustomizeHook<Decorated>;
}

export interface MapHooks<
  Parent extends ObjectOfKind = KubeObject,
  Input extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
> {
  readonly map: MapHook<Parent, Input, Outputs, Related>;
  readonly tombstone?: TombstoneHook<Parent, Outputs, Related>;
  readonly finalize?: MapFinalizeHook<Parent, Outputs, Related>;
  readonly customize?: CustomizeHook<Parent>;
}

/** The same hooks. Type parameters: the kind of the parent, then those of the children and of related objects. */
export function defineComposite<
  Parent extends ObjectOfKind = KubeObject,
  Children extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
>(hooks: CompositeHooks<Parent, Children, Related>): CompositeHooks<Parent, Children, Related> {
  return hooks;
}

/** The same hooks. Type parameters: the kind of the decorated object, then those of attachments and of related objects. */
export function defineDecorator<
  Decorated extends ObjectOfKind = KubeObject,
  Attachments extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
>(hooks: DecoratorHooks<Decorated, Attachments, Related>): DecoratorHooks<Decorated, Attachments, Related> {
  return hooks;
}

/** The same hooks. Type parameters: the kinds of the parent, its inputs, its outputs, and of related objects. */
export function defineMap<
  Parent extends ObjectOfKind = KubeObject,
  Input extends ObjectOfKind = KubeObject,
  Outputs extends ObjectOfKind = KubeObject,
  Related extends ObjectOfKind = KubeObject,
>(hooks: MapHooks<Parent, Input, Outputs, Related>): MapHooks<Parent, Input, Outputs, Related> {
  return hooks;
}
