// The hooks of one controller, checked against the shapes of its kind: `export const { sync, finalize } = defineDecorator({…})`.

import type { KubeObject } from '../model/object.ts';
import type { CompositeHook } from './composite.ts';
import type { CustomizeHook } from './customize.ts';
import type { DecoratorHook } from './decorator.ts';
import type { MapFinalizeHook, MapHook, TombstoneHook } from './map.ts';

export interface CompositeHooks<Parent extends KubeObject = KubeObject> {
  readonly sync: CompositeHook<Parent>;
  readonly finalize?: CompositeHook<Parent>;
  readonly customize?: CustomizeHook<Parent>;
}

export interface DecoratorHooks<Decorated extends KubeObject = KubeObject> {
  readonly sync: DecoratorHook<Decorated>;
  readonly finalize?: DecoratorHook<Decorated>;
  readonly customize?: CustomizeHook<Decorated>;
}

export interface MapHooks<Parent extends KubeObject = KubeObject, Input extends KubeObject = KubeObject> {
  readonly map: MapHook<Parent, Input>;
  readonly tombstone?: TombstoneHook<Parent>;
  readonly finalize?: MapFinalizeHook<Parent>;
  readonly customize?: CustomizeHook<Parent>;
}

/** The same hooks; the type parameter is the kind of the parent. */
export function defineComposite<Parent extends KubeObject = KubeObject>(
  hooks: CompositeHooks<Parent>,
): CompositeHooks<Parent> {
  return hooks;
}

/** The same hooks; the type parameter is the kind of the decorated object. */
export function defineDecorator<Decorated extends KubeObject = KubeObject>(
  hooks: DecoratorHooks<Decorated>,
): DecoratorHooks<Decorated> {
  return hooks;
}

/** The same hooks; the type parameters are the kinds of the parent and of its inputs. */
export function defineMap<Parent extends KubeObject = KubeObject, Input extends KubeObject = KubeObject>(
  hooks: MapHooks<Parent, Input>,
): MapHooks<Parent, Input> {
  return hooks;
}
