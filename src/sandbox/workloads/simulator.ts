// Runs the controllers: a queue of keys fed by every change, worked off at once and in order, and one timer a key for
// what depends on time. Everything is recomputed from the store, so nothing is lost when the sandbox is opened again.
// Invariant: no randomness, no clock but the one passed in; the same writes at the same times give the same writes.

import { textAt } from '../../health/index.ts';
import { backoffDelay } from '../../kit/backoff.ts';
import type { Clock } from '../../kit/clock.ts';
import { controllerOf, type KubeObject } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import { StatusError } from '../http/status-error.ts';
import type { WorkloadApi, WorkloadChange } from '../workload-api.ts';
import { reconcileClaim } from './claims.ts';
import type { Context, Controller } from './context.ts';
import { reconcileDaemonSet } from './daemon-sets.ts';
import { reconcileDeployment } from './deployments.ts';
import { reconcileJob } from './jobs.ts';
import type { ReadinessModel } from './models.ts';
import { reconcilePod } from './pods.ts';
import { reconcileReplicaSet } from './replica-sets.ts';
import { reconcileStatefulSet } from './stateful-sets.ts';

export interface WorkloadOptions {
  readonly clock: Clock;
  /** The first whose selector matches a pod is the pod's; none: Ready one second after its creation. */
  readonly models: readonly ReadinessModel[];
}

interface Watched {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly controller: Controller;
}

// Owners before what they own: after a restart they look at their children as they were left.
const WATCHED: readonly Watched[] = [
  { group: 'apps', kind: 'Deployment', resource: 'deployments', controller: reconcileDeployment },
  { group: 'apps', kind: 'ReplicaSet', resource: 'replicasets', controller: reconcileReplicaSet },
  { group: 'apps', kind: 'StatefulSet', resource: 'statefulsets', controller: reconcileStatefulSet },
  { group: 'apps', kind: 'DaemonSet', resource: 'daemonsets', controller: reconcileDaemonSet },
  { group: 'batch', kind: 'Job', resource: 'jobs', controller: reconcileJob },
  { group: '', kind: 'Pod', resource: 'pods', controller: reconcilePod },
  { group: '', kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims', controller: reconcileClaim },
];

interface Key {
  readonly watched: Watched;
  readonly namespace: string | undefined;
  readonly name: string;
}

const RETRY = { base: 1_000, cap: 60_000 };

/** Starts the controllers on what is there and on every change after. stop() ends them and their timers. */
export function startWorkloads(api: WorkloadApi, options: WorkloadOptions): { stop(): void } {
  const simulator = new Simulator(api, options);
  simulator.start();
  return { stop: () => simulator.stop() };
}

class Simulator {
  readonly #api: WorkloadApi;
  readonly #options: WorkloadOptions;
  readonly #queue = new Map<string, Key>();
  /** The one timer of a key; set again each time the key is worked on. */
  readonly #timers = new Map<string, () => void>();
  readonly #failures = new Map<string, number>();
  /** By uid, for pods whose creation was seen: creationTimestamp has whole seconds only. */
  readonly #createdAt = new Map<string, number>();
  #lastPodIP = 0;
  #working = false;
  #stopped = false;

  constructor(api: WorkloadApi, options: WorkloadOptions) {
    this.#api = api;
    this.#options = options;
  }

  start(): void {
    for (const pod of this.#api.list('', 'pods')) this.#lastPodIP = Math.max(this.#lastPodIP, ordinalOfIP(pod));
    for (const watched of WATCHED)
      for (const object of this.#api.list(watched.group, watched.resource)) this.#enqueue(watched, object);
    this.#api.onChange((change) => this.#notice(change));
    this.#work();
  }

  stop(): void {
    this.#stopped = true;
    this.#queue.clear();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #notice({ group, resource, before, after }: WorkloadChange): void {
    const object = after ?? before;
    if (this.#stopped || !object) return;
    const watched = WATCHED.find((one) => one.group === group && one.resource === resource);
    if (!watched) return;
    const uid = object.metadata.uid ?? '';
    if (resource === 'pods' && !before) this.#createdAt.set(uid, this.#options.clock.now());
    if (!after) this.#createdAt.delete(uid);
    this.#enqueue(watched, object);
    for (const state of [before, after]) if (state) this.#enqueueOwner(state);
    this.#work();
  }

  #enqueue(watched: Watched, { metadata }: Pick<KubeObject, 'metadata'>): void {
    const { namespace, name = '' } = metadata;
    this.#queue.set(keyText(watched, namespace, name), { watched, namespace, name });
  }

  #enqueueOwner(object: KubeObject): void {
    const owner = controllerOf(object);
    if (!owner) return;
    const { group } = splitApiVersion(owner.apiVersion);
    const watched = WATCHED.find((one) => one.group === group && one.kind === owner.kind);
    const { namespace } = object.metadata;
    if (watched) this.#enqueue(watched, { metadata: { name: owner.name, ...(namespace ? { namespace } : {}) } });
  }

  /** Changes that our own writes make arrive here again (nested or later) and only join the queue. */
  #work(): void {
    if (this.#working) return;
    this.#working = true;
    try {
      for (const [text, key] of this.#queue) {
        this.#queue.delete(text);
        this.#reconcile(text, key);
      }
    } finally {
      this.#working = false;
    }
  }

  #reconcile(text: string, { watched, namespace, name }: Key): void {
    this.#timers.get(text)?.();
    this.#timers.delete(text);
    const object = this.#api.get(watched.group, watched.resource, namespace, name);
    if (!object) {
      this.#failures.delete(text);
      return;
    }
    const again = this.#attempt(text, watched, object);
    if (again !== undefined)
      this.#timers.set(
        text,
        this.#options.clock.schedule(again, () => this.#wake(watched, object)),
      );
  }

  /** A write that the server refuses (a namespace that is going, a name that is taken) is tried again later. */
  #attempt(text: string, watched: Watched, object: KubeObject): number | undefined {
    try {
      const again = watched.controller(this.#context(), object);
      this.#failures.delete(text);
      return again;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const failures = this.#failures.get(text) ?? 0;
      this.#failures.set(text, failures + 1);
      return backoffDelay(RETRY, failures);
    }
  }

  #wake(watched: Watched, object: KubeObject): void {
    if (this.#stopped) return;
    this.#enqueue(watched, object);
    this.#work();
  }

  #context(): Context {
    return {
      api: this.#api,
      models: this.#options.models,
      now: this.#options.clock.now(),
      createdAt: ({ metadata }) =>
        this.#createdAt.get(metadata.uid ?? '') ?? (Date.parse(metadata.creationTimestamp ?? '') || 0),
      nextPodIP: () => ipOfOrdinal(++this.#lastPodIP),
    };
  }
}

const keyText = ({ group, resource }: Watched, namespace: string | undefined, name: string): string =>
  `${resource}.${group}/${namespace ?? ''}/${name}`;

const ipOfOrdinal = (ordinal: number): string => `10.244.${(ordinal >> 8) & 255}.${ordinal & 255}`;

function ordinalOfIP(pod: KubeObject): number {
  const [, , high = 0, low = 0] = textAt(pod, 'status', 'podIP').split('.').map(Number);
  return high * 256 + low;
}
