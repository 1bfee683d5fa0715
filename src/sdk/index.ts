// What the author of a hook in TypeScript imports, as `metactl/sdk`: the shapes of requests and answers, and a few
// helpers. `import type` costs nothing at run time, so a hook that needs only the types runs without the package.
// Shapes are Metacontroller's, versions v1 and v2; only the keys of children differ between the two.

export type { JsonObject, JsonValue } from '../kit/json.ts';
export type { KubeObject, ObjectMeta, OwnerReference } from '../model/object.ts';
export type { CompositeHook, CompositeRequest, CompositeResponse } from './composite.ts';
export { type Condition, condition, conditionStatus } from './conditions.ts';
export type { CustomizeHook, CustomizeRequest, CustomizeResponse, RelatedRule, Selector } from './customize.ts';
export type { DecoratorHook, DecoratorRequest, DecoratorResponse } from './decorator.ts';
export {
  type CompositeHooks,
  type DecoratorHooks,
  defineComposite,
  defineDecorator,
  defineMap,
  type MapHooks,
} from './define.ts';
export type * from './kinds.ts';
export type {
  MapFinalizeHook,
  MapFinalizeRequest,
  MapFinalizeResponse,
  MapHook,
  MapRequest,
  MapResponse,
  TombstoneHook,
  TombstoneRequest,
  TombstoneResponse,
} from './map.ts';
export { attachmentsOf, childrenOf, outputsOf, ownerOf, relatedOf } from './observed.ts';
export type {
  Desired,
  DesiredMetadata,
  DesiredObject,
  GroupOf,
  GroupsOf,
  HookContext,
  Metadata,
  ObjectGroups,
  ObjectOfKind,
  StatusOf,
} from './shapes.ts';
