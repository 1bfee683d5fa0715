// A parent with its children and revisions, moved on by plans alone: every write is foretold by project(), so that thousands
// of rollouts with crashes take seconds. Children are config maps whose `data.image` is that of their revision.

import type { JsonObject, JsonValue } from '../kit/json.ts';
import { UNKNOWN } from '../kit/unknown.ts';
import type { CompositeDefinition } from '../model/definition.ts';
import type { Answer, HookCall } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan } from '../model/plan.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ParentView } from '../model/view.ts';
import { planParent, project } from '../plan/index.ts';
import { CONFIG_MAPS, configMap, ofWidgets, WIDGETS, widget, widgetController } from './objects.ts';

export const REVISIONS: ResourceType = {
  ...WIDGETS,
  group: 'metacontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
};

export type HookOf = (request: JsonObject, call: HookCall) => JsonValue;

/** One config map for each name of spec.names, with spec.image. */
export const imageHook: HookOf = ({ parent }) => {
  const { names, image } = (parent as KubeObject)['spec'] as { names: readonly string[]; image: string };
  return { children: names.map((name) => configMap(name, { image })), status: { image } };
};

export class RolloutWorld {
  view: ParentView;
  readonly definition: CompositeDefinition;
  readonly hook: HookOf;
  hookCalls = 0;
  #version = 100;

  constructor(definition: Partial<CompositeDefinition> = {}, hook: HookOf = imageHook) {
    this.definition = { ...widgetController({ method: 'RollingInPlace' }), ...definition };
    this.hook = hook;
    this.view = {
      parent: widget({ names: ['a', 'b', 'c'], image: '1' }),
      parentType: WIDGETS,
      parentLive: true,
      children: [{ type: CONFIG_MAPS, objects: [] }],
      revisions: { type: REVISIONS, objects: [] },
    };
  }

  edit(spec: JsonObject): void {
    const { parent } = this.view;
    const generation = (parent.metadata.generation ?? 0) + 1;
    const edited = {
      ...parent,
      metadata: { ...parent.metadata, generation },
      spec: { ...(parent['spec'] as JsonObject), ...spec },
    };
    this.view = { ...this.view, parent: edited };
  }

  plan(foresee = false): ParentPlan {
    const answers = new Map<string, Answer>();
    for (;;) {
      const step = planParent(ofWidgets(this.definition), this.view, answers, { foresee });
      if (step.kind === 'plan') return step.plan;
      for (const need of step.needs) {
        const { id } = need;
        if (need.kind === 'lookup') answers.set(id, { kind: 'lookup', id, objects: [] });
        if (need.kind !== 'hook') continue;
        this.hookCalls++;
        answers.set(id, { kind: 'hook', id, ok: true, body: this.hook(need.request, need) });
      }
    }
  }

  /** Writes in the order of the plan's waves; `only`: what of it goes through before the process dies. */
  apply(plan: ParentPlan, only: (change: Change, index: number) => boolean = () => true): void {
    const writes = changesOfParent(plan).filter(isWrite);
    for (const change of writes.filter(only)) this.view = this.#stored(project(this.view, change));
  }

  /** Until nothing is left to do; the number of rounds. */
  settle(limit = 200): number {
    for (let round = 0; round < limit; round++) {
      const plan = this.plan();
      if (!changesOfParent(plan).some(isWrite)) return round;
      this.apply(plan);
    }
    throw new Error(`not settled after ${limit} rounds`);
  }

  get children(): readonly KubeObject[] {
    return this.view.children.flatMap(({ objects }) => objects);
  }

  get revisions(): readonly KubeObject[] {
    return this.view.revisions?.objects ?? [];
  }

  /** Deleted by somebody else. */
  lose(name: string): void {
    const keep = ({ metadata }: KubeObject): boolean => metadata.name !== name;
    const children = this.view.children.map((group) => ({ ...group, objects: group.objects.filter(keep) }));
    this.view = { ...this.view, children };
  }

  /** "a@1 b@2", sorted. */
  get images(): string {
    const shown = this.children.map(({ metadata, data }) => `${metadata.name}@${(data as { image: string }).image}`);
    return shown.sort().join(' ');
  }

  get updated(): string {
    const { status } = this.view.parent as { status?: { conditions?: readonly JsonObject[] } };
    const found = status?.conditions?.find(({ type }) => type === 'Updated');
    return found ? `${found['status']} ${found['reason']} ${found['message']}` : 'none';
  }

  /** What the server would have filled in. */
  #stored(view: ParentView): ParentView {
    const fill = (object: KubeObject): KubeObject => {
      const { uid, resourceVersion, creationTimestamp } = object.metadata;
      if (uid !== UNKNOWN && resourceVersion !== UNKNOWN) return object;
      const metadata = {
        ...object.metadata,
        uid: uid === UNKNOWN ? `${refKey(refOf(object))}-${this.#version}` : (uid ?? ''),
        resourceVersion: String(++this.#version),
        ...(creationTimestamp === UNKNOWN ? { creationTimestamp: '2026-01-01T00:00:00Z' } : {}),
      };
      return { ...object, metadata };
    };
    const children = view.children.map((group) => ({ ...group, objects: group.objects.map(fill) }));
    const { revisions } = view;
    return {
      ...view,
      parent: fill(view.parent),
      children,
      ...(revisions ? { revisions: { ...revisions, objects: revisions.objects.map(fill) } } : {}),
    };
  }
}
