// Builders of objects, resource types and definitions for tests: everything has a sensible default.

import type { JsonObject } from '../kit/json.ts';
import type {
  CompositeDefinition,
  DecoratorDefinition,
  Hook,
  ResourceController,
  UpdateMethod,
} from '../model/definition.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

export const CONFIG_MAPS: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  verbs: VERBS,
  subresources: [],
};
export const PODS: ResourceType = { ...CONFIG_MAPS, kind: 'Pod', resource: 'pods', subresources: ['status'] };
export const NAMESPACES: ResourceType = { ...PODS, kind: 'Namespace', resource: 'namespaces', namespaced: false };
export const WIDGETS: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
  verbs: VERBS,
  subresources: ['status'],
};

export const WIDGET_UID = 'widget-uid';

export function widget(spec: JsonObject = {}, metadata: ObjectMeta = {}, status?: JsonObject): KubeObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default', uid: WIDGET_UID, generation: 1, resourceVersion: '10', ...metadata },
    spec: { selector: { matchLabels: { app: 'w' } }, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: ObjectMeta = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', labels: { app: 'w' }, ...metadata },
    data,
  };
}

/** metadata of an object that the server has stored, owned by the widget. */
export function ownedMetadata(name: string, more: ObjectMeta = {}): ObjectMeta {
  return {
    uid: `${name}-uid`,
    resourceVersion: '7',
    ownerReferences: [
      {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: 'w',
        uid: WIDGET_UID,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    ...more,
  };
}

const MODULE_HOOK: Hook = {
  kind: 'module',
  version: 'v1',
  timeoutMs: 10_000,
  strict: false,
  sideEffects: 'None',
  path: '/hooks/sync.js',
  export: 'sync',
};

export interface DefinitionOptions {
  readonly method?: UpdateMethod;
  readonly generateSelector?: boolean;
  readonly hook?: Partial<Hook>;
  readonly name?: string;
  readonly omittedMetadata?: 'keep' | 'remove';
}

/** A decorator of widgets that attaches config maps. */
export function decoratorOfWidgets(options: DefinitionOptions = {}): DecoratorDefinition {
  const { parent, generateSelector: _none, kind: _kind, ...rest } = widgetController(options);
  const { apiVersion, resource, labelSelector, ignoreStatusChanges } = parent;
  return {
    ...rest,
    kind: 'DecoratorController',
    object: { ...rest.object, kind: 'DecoratorController' },
    parents: [{ apiVersion, resource, labelSelector, ignoreStatusChanges }],
    omittedMetadata: options.omittedMetadata ?? 'keep',
  };
}

/** A controller of widgets that makes config maps. */
export function widgetController(options: DefinitionOptions = {}): CompositeDefinition {
  const { method = 'InPlace', generateSelector = false, hook = {}, name = 'widgets' } = options;
  return {
    kind: 'CompositeController',
    name,
    object: {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name },
      spec: {},
    },
    parent: {
      apiVersion: 'example.com/v1',
      resource: 'widgets',
      labelSelector: { matchLabels: {}, matchExpressions: [] },
      ignoreStatusChanges: false,
      revisionFieldPaths: ['spec'],
      revisionNamespace: 'default',
    },
    children: [{ apiVersion: 'v1', resource: 'configmaps', updateMethod: method, statusChecks: [] }],
    generateSelector,
    resyncPeriodSeconds: 0,
    hooks: { sync: { ...MODULE_HOOK, ...hook } as Hook },
    apply: { mode: 'dynamic', fieldManager: 'metactl', conflicts: [], force: false },
  };
}

export function ofWidgets(definition: CompositeDefinition): ResourceController {
  return { definition, parentRule: definition.parent };
}
