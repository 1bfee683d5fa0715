// A workload simulator on a store in memory and a clock that is moved by hand, and what its tests ask of them.

import assert from 'node:assert/strict';
import { healthOf } from '../health/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ReadinessModel, WorkloadApi } from '../sandbox/index.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeWorkloadApi } from './fake-workload-api.ts';

type Start = (
  api: WorkloadApi,
  options: { readonly clock: FakeClock; readonly models: readonly ReadinessModel[] },
) => { stop(): void };

const LABELS = { app: 'web' };
/** A pod template with the labels app=web. */
export const template = (image = 'web:1', spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: LABELS },
  spec: { containers: [{ name: 'web', image }], ...spec },
});

/** An object `web` in namespace default. */
export function manifest(apiVersion: string, kind: string, spec: JsonObject): KubeObject {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'default' }, spec };
}

export class WorkloadBed {
  readonly clock = new FakeClock();
  readonly api = new FakeWorkloadApi(this.clock);
  readonly simulation: { stop(): void };

  constructor(start: Start, ...models: readonly ReadinessModel[]) {
    this.simulation = start(this.api, { clock: this.clock, models });
  }

  pods(): readonly KubeObject[] {
    return this.api.list('', 'pods');
  }

  /** The object as it is now. */
  now(object: KubeObject): KubeObject {
    const { kind, metadata } = object;
    const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
    const found = this.api.get(group ?? '', `${kind.toLowerCase()}s`, metadata.namespace, metadata.name ?? '');
    assert.ok(found, `${kind} ${metadata.name} is there`);
    return found;
  }

  /** What health/ says of the object as it is now: "InProgress: 1 of 2 replicas ready". */
  health(object: KubeObject): string {
    const { state, message } = healthOf(this.now(object));
    return `${state}: ${message}`;
  }

  /** Replaces fields of its spec. */
  respec(object: KubeObject, spec: JsonObject): void {
    const live = this.now(object);
    this.api.update({ ...live, spec: { ...(live['spec'] as JsonObject), ...spec } });
  }

  /** The image of each pod's first container. */
  images(): readonly string[] {
    return this.pods().map((pod) => (pod['spec'] as { containers: { image: string }[] }).containers[0]?.image ?? '');
  }
}

export const names = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? '');
