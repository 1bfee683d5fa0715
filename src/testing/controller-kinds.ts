// One controller of widgets of each kind, for tests of what kinds share: the same scene, told in each kind's words.

import type { JsonObject } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../merge/index.ts';
import {
  type CompositeDefinition,
  type DecoratorDefinition,
  type Definition,
  type Hook,
  type LabelSelector,
  parentRulesOf,
  type ResourceController,
} from '../model/definition.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import { inputPod, keyOf, mapController, withKey } from './map-world.ts';
import { type DefinitionOptions, decoratorOfWidgets, ownedMetadata, widgetController } from './objects.ts';

export interface ControllerOptions extends DefinitionOptions {
  readonly finalize?: Partial<Hook>;
  readonly labelSelector?: LabelSelector;
}

export interface ControllerKind {
  readonly name: Definition['kind'];
  readonly finalizer: string;
  /** What it calls the parent and the children in requests and answers, and the hook that says what shall be there. */
  readonly words: { readonly parent: string; readonly children: string; readonly hook: 'sync' | 'map' };
  controller(options?: ControllerOptions): ResourceController;
  /** An answer of sync or finalize, told with `children`. */
  answer(given: JsonObject): JsonObject;
  /** A child as it stands after it was applied from what a hook returned. */
  stored(desired: KubeObject, metadata?: ObjectMeta): KubeObject;
  /** Pods that the hook is asked about; absent: it is asked about the parent. */
  readonly inputs?: readonly KubeObject[];
}

const composite: ControllerKind = {
  name: 'CompositeController',
  finalizer: 'metacontroller.io/compositecontroller-widgets',
  words: { parent: 'parent', children: 'children', hook: 'sync' },
  controller: (options = {}) => withOptions(widgetController(options), options),
  answer: (given) => given,
  stored: (desired, metadata) => applied(desired, metadata),
};

const decorator: ControllerKind = {
  name: 'DecoratorController',
  finalizer: 'metacontroller.io/decoratorcontroller-widgets',
  words: { parent: 'object', children: 'attachments', hook: 'sync' },
  controller: (options = {}) => withOptions(decoratorOfWidgets(options), options),
  answer: ({ children, ...given }) => ({ ...given, ...(children === undefined ? {} : { attachments: children }) }),
  stored: (desired, metadata) => applied(attached(desired), metadata),
};

/** With one input, everything that is there was made of it. */
const map: ControllerKind = {
  name: 'MapController',
  finalizer: 'metacontroller.io/mapcontroller-copier',
  words: { parent: 'parent', children: 'outputs', hook: 'map' },
  controller: ({ method, hook, finalize, labelSelector } = {}) => {
    const given = mapController({ ...(method ? { method } : {}), ...(hook ? { hook } : {}) });
    const hooks = { ...given.hooks, ...(finalize ? { finalize: { ...given.hooks.map, ...finalize } as Hook } : {}) };
    const parentRule = labelSelector ? { ...given.parent, labelSelector } : given.parent;
    return { definition: { ...given, hooks }, parentRule };
  },
  answer: ({ children, status: _nobodys, ...given }) => ({
    ...given,
    ...(children === undefined ? {} : { outputs: children }),
  }),
  stored: (desired, metadata) => applied(withKey(desired, keyOf('a')), metadata),
  inputs: [inputPod('a', { labels: { app: 'w' } })],
};

export const CONTROLLER_KINDS: readonly ControllerKind[] = [composite, decorator, map];

/** Those that ask one hook about all children of a parent. */
export const KINDS_OF_ONE_HOOK: readonly ControllerKind[] = [composite, decorator];

function withOptions(
  given: CompositeDefinition | DecoratorDefinition,
  { finalize, labelSelector }: ControllerOptions,
): ResourceController {
  const hooks = { ...given.hooks, ...(finalize ? { finalize: { ...given.hooks.sync, ...finalize } as Hook } : {}) };
  const [rule] = parentRulesOf(given);
  if (!rule) throw new Error('a controller of widgets has a rule for them');
  return { definition: { ...given, hooks }, parentRule: labelSelector ? { ...rule, labelSelector } : rule };
}

function applied(desired: KubeObject, metadata: ObjectMeta = {}): KubeObject {
  const stored = withLastApplied(desired, LAST_APPLIED_ANNOTATION);
  return { ...stored, metadata: { ...stored.metadata, ...ownedMetadata(desired.metadata.name ?? ''), ...metadata } };
}

/** What a decorator adds to an attachment. */
export function attached(object: KubeObject, by = 'widgets'): KubeObject {
  const annotations = { ...object.metadata.annotations, 'metacontroller.k8s.io/decorator-controller': by };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
