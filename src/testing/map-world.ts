// A map controller of widgets that makes config maps out of pods, planned without a cluster: what hooks say stands in a table.

import { sha256 } from '../kit/hash.ts';
import type { JsonObject, JsonValue } from '../kit/json.ts';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../merge/index.ts';
import type { Hook, MapDefinition, UpdateMethod } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Answer, HookCall } from '../model/need.ts';
import type { KubeObject, ObjectMeta } from '../model/object.ts';
import type { ParentPlan } from '../model/plan.ts';
import { planParent } from '../plan/index.ts';
import { CONFIG_MAPS, configMap, ownedMetadata, PODS, WIDGETS, widget, widgetController } from './objects.ts';

export interface MapControllerOptions {
  readonly method?: UpdateMethod;
  readonly hooks?: readonly ('tombstone' | 'finalize' | 'customize')[];
  readonly hook?: Partial<Hook>;
}

export function mapController({ method = 'InPlace', hooks = [], hook = {} }: MapControllerOptions = {}): MapDefinition {
  const { object, parent, hooks: own, apply } = widgetController();
  const { apiVersion, resource, labelSelector, ignoreStatusChanges } = parent;
  const each = { ...own.sync, ...hook } as Hook;
  return {
    kind: 'MapController',
    name: 'copier',
    object: { ...object, kind: 'MapController', metadata: { name: 'copier' } },
    parent: { apiVersion, resource, labelSelector, ignoreStatusChanges },
    inputs: [{ apiVersion: 'v1', resource: 'pods' }],
    children: [{ apiVersion: 'v1', resource: 'configmaps', updateMethod: method, statusChecks: [] }],
    resyncPeriodSeconds: 0,
    hooks: { map: each, ...Object.fromEntries(hooks.map((name) => [name, each])) },
    apply,
  };
}

export function inputPod(name: string, metadata: ObjectMeta = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `${name}-uid`, resourceVersion: '5', ...metadata },
    spec: {},
  };
}

export const keyOf = (name: string, controller = 'copier'): string => `${controller}/Pod/default/${name}/${name}-uid`;

/** As an output carries it. */
export function withKey(object: KubeObject, key: string): KubeObject {
  const labels = { ...object.metadata.labels, 'metactl.dev/map-key-hash': sha256(key).slice(0, 32) };
  const annotations = { ...object.metadata.annotations, 'metactl.dev/map-key': key };
  return { ...object, metadata: { ...object.metadata, labels, annotations } };
}

/** As the server has it after it was made of the pod of this name. */
export function made(pod: string, name: string, data: Record<string, string> = {}): KubeObject {
  return owned(withKey(configMap(name, data), keyOf(pod)));
}

export function owned(object: KubeObject): KubeObject {
  const { name = '' } = object.metadata;
  const stored = withLastApplied(object, LAST_APPLIED_ANNOTATION);
  return { ...stored, metadata: { ...stored.metadata, ...ownedMetadata(name) } };
}

export const copy = (name: string, data: Record<string, string> = {}): JsonValue => configMap(name, data);
export const copies = (...names: string[]): JsonObject => ({ outputs: names.map((name) => copy(name)) });

type Reply = JsonValue | Diagnostic;
export const FAILED: Diagnostic = { severity: 'error', code: 'hook-failed', summary: 'it is broken' };

export interface Scene {
  readonly controller?: MapControllerOptions;
  readonly parent?: ObjectMeta;
  readonly selector?: JsonValue;
  readonly status?: JsonObject;
  readonly inputs?: readonly KubeObject[];
  readonly outputs?: readonly KubeObject[];
  /** By what is asked: "map a", "tombstone copier/…", "finalize". Default: {}. */
  readonly answers?: Readonly<Record<string, Reply>>;
  readonly foreign?: readonly KubeObject[];
  readonly foresee?: boolean;
}

export const questionOf = ({ hookName, request, input }: HookCall): string =>
  [hookName, input?.name ?? request['mapKey']].filter((part) => part !== undefined).join(' ');

export function planned(scene: Scene): { plan: ParentPlan; calls: HookCall[] } {
  const { inputs = [], outputs = [], selector, status, foreign = [], foresee = false } = scene;
  const definition: MapDefinition = mapController(scene.controller);
  const view = {
    parent: { ...widget({}, scene.parent, status), spec: selector === undefined ? {} : { selector } },
    parentType: WIDGETS,
    parentLive: true,
    children: [{ type: CONFIG_MAPS, objects: outputs }],
    inputs: [{ type: PODS, objects: inputs }],
  };
  const controller = { definition, parentRule: definition.parent };
  const answers = new Map<string, Answer>();
  const calls: HookCall[] = [];
  for (;;) {
    const step = planParent(controller, view, answers, { foresee });
    if (step.kind === 'plan') return { plan: step.plan, calls };
    for (const need of step.needs) {
      if (need.kind === 'hook') calls.push(need);
      if (need.kind === 'hook') answers.set(need.id, replyTo(need, scene));
      if (need.kind === 'lookup')
        answers.set(need.id, {
          ...need,
          objects: foreign.filter(({ metadata: { name } }) => need.refs.some((ref) => ref.name === name)),
        });
    }
  }
}

function replyTo(call: HookCall, { answers = {} }: Scene): Answer {
  const reply = answers[questionOf(call)] ?? {};
  if ((reply as JsonObject)['severity'] === 'error')
    return { kind: 'hook', id: call.id, ok: false, diagnostic: reply as unknown as Diagnostic };
  return { kind: 'hook', id: call.id, ok: true, body: reply as JsonValue };
}

export const TOMBSTONE = { hooks: ['tombstone'] } as const;
export const COUNTED = (inputs: number, outputs: number): JsonObject => ({
  inputs: { pods: { total: inputs } },
  outputs: { configmaps: { total: outputs } },
  observedGeneration: 1,
});
