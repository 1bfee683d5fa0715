// Runs the controllers: a queue of keys fed by every change, worked off at once and in order, and one alarm for
// what depends on time. Everything is recomputed from the store, so nothing is lost when the sandbox is opened again.
// Invariant: no randomness, no clock but the one passed in; the same writes at the same times give the same writes.

import { textAt } from '../../health/index.ts';
import { backoffDelay } from '../../kit/backoff.ts';
import { type Clock, formatTime } from '../../kit/clock.ts';
import { jsonEqual } from '../../kit/json.ts';
import { controllerOf, isDeleting, type KubeObject } from '../../model/object.ts';
import { splitApiVersion } from '../../model/resource.ts';
import { StatusError } from '../http/status-error.ts';
import type { WorkloadApi, WorkloadChange } from '../workload-api.ts';
import { claimsOf, reconcileClaim } from './claims.ts';
import type { Context, Controller } from './context.ts';
import { reconcileDaemonSet } from './daemon-sets.ts';
import { reconcileDeployment } from './deployments.ts';
import { reconcileJob } from './jobs.ts';
import type { ReadinessModel } from './models.ts';
import { hasEnded, isReady, phaseOf } from './owned-pods.ts';
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
  /** The same, with a note of what is made through it. */
  readonly #recording: WorkloadApi;
  readonly #options: WorkloadOptions;
  readonly #queue = new Map<string, Key>();
  /** When to look at a key again although nothing changes; set anew each time the key is worked on. */
  readonly #due = new Map<string, { readonly at: number; readonly key: Key }>();
  /** One timer for all of them, so that a thousand pods that become Ready together are counted once. */
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  /** Uids of pods that a controller made, until the news of them comes: it has counted them and need not be woken. */
  readonly #made = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** By uid, for pods whose creation was seen: creationTimestamp has whole seconds only. */
  readonly #createdAt = new Map<string, number>();
  #lastPodIP = 0;
  #working = false;
  #stopped = false;

  constructor(api: WorkloadApi, options: WorkloadOptions) {
    this.#api = api;
    this.#recording = {
      list: (group, resource, namespace) => api.list(group, resource, namespace),
      get: (group, resource, namespace, name) => api.get(group, resource, namespace, name),
      create: (object) => {
        const made = api.create(object);
        const uid = made.metadata.uid ?? '';
        // Under a timer the news came during the call; under a change it comes when we are done with that.
        if (made.kind === 'Pod' && !this.#createdAt.has(uid)) this.#made.add(uid);
        return made;
      },
      update: (object) => api.update(object),
      updateStatus: (object) => api.updateStatus(object),
      remove: (object) => api.remove(object),
      onChange: (listener) => api.onChange(listener),
    };
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
    this.#due.clear();
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  #notice({ group, resource, before, after }: WorkloadChange): void {
    const object = after ?? before;
    if (this.#stopped || !object) return;
    const watched = WATCHED.find((one) => one.group === group && one.resource === resource);
    if (!watched) return;
    const uid = object.metadata.uid ?? '';
    if (resource === 'pods' && !before && isNew(object, this.#options.clock.now()))
      this.#createdAt.set(uid, this.#options.clock.now());
    if (!after) this.#createdAt.delete(uid);
    this.#enqueue(watched, object);
    if (resource === 'pods' && (!after || hasEnded(after))) this.#enqueueClaims(object);
    if (this.#concernsOwner(before, after)) for (const state of [before, after]) if (state) this.#enqueueOwner(state);
    this.#work();
  }

  #enqueue(watched: Watched, { metadata }: Pick<KubeObject, 'metadata'>): void {
    const { namespace, name = '' } = metadata;
    this.#queue.set(keyText(watched, namespace, name), { watched, namespace, name });
  }

  /** Those that wait for the last pod that uses them. */
  #enqueueClaims(pod: KubeObject): void {
    const watched = WATCHED.find(({ controller }) => controller === reconcileClaim);
    const { namespace } = pod.metadata;
    if (!watched) return;
    for (const name of claimsOf(pod))
      this.#enqueue(watched, { metadata: { name, ...(namespace ? { namespace } : {}) } });
  }

  #concernsOwner(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
    if (!before) return !this.#made.delete(after?.metadata.uid ?? '');
    return after?.kind !== 'Pod' || countsDiffer(before, after);
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

  #reconcile(text: string, key: Key): void {
    const { watched, namespace, name } = key;
    this.#due.delete(text);
    const object = this.#api.get(watched.group, watched.resource, namespace, name);
    if (!object) {
      this.#failures.delete(text);
      return;
    }
    const again = this.#attempt(text, watched, object);
    if (again === undefined) return;
    const at = this.#options.clock.now() + again;
    this.#due.set(text, { at, key });
    this.#setAlarm(at);
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

  #setAlarm(at: number): void {
    if (this.#alarm && this.#alarm.at <= at) return;
    this.#alarm?.cancel();
    const cancel = this.#options.clock.schedule(Math.max(0, at - this.#options.clock.now()), () => this.#wake());
    this.#alarm = { at, cancel };
  }

  #wake(): void {
    this.#alarm = undefined;
    if (this.#stopped) return;
    const now = this.#options.clock.now();
    for (const [text, { at, key }] of this.#due) if (at <= now) this.#queue.set(text, key);
    this.#work();
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#due.values()) next = Math.min(next, at);
    if (next < Number.POSITIVE_INFINITY) this.#setAlarm(next);
  }

  #context(): Context {
    return {
      api: this.#recording,
      models: this.#options.models,
      now: this.#options.clock.now(),
      createdAt: ({ metadata }) =>
        this.#createdAt.get(metadata.uid ?? '') ?? (Date.parse(metadata.creationTimestamp ?? '') || 0),
      nextPodIP: () => ipOfOrdinal(++this.#lastPodIP),
    };
  }
}

/** A pod that a snapshot brings back is as old as it says. */
const isNew = ({ metadata }: KubeObject, now: number): boolean => metadata.creationTimestamp === formatTime(now);

const keyText = ({ group, resource }: Watched, namespace: string | undefined, name: string): string =>
  `${resource}.${group}/${namespace ?? ''}/${name}`;

/** Whether an owner of the pod could count it differently now. Pods change often in ways that nobody counts. */
function countsDiffer(before: KubeObject, after: KubeObject): boolean {
  const counted = (pod: KubeObject): string =>
    [isReady(pod), isDeleting(pod), hasEnded(pod) && phaseOf(pod), controllerOf(pod)?.uid].join();
  return counted(before) !== counted(after) || !jsonEqual(before.metadata.labels, after.metadata.labels);
}

const ipOfOrdinal = (ordinal: number): string => `10.244.${(ordinal >> 8) & 255}.${ordinal & 255}`;

function ordinalOfIP(pod: KubeObject): number {
  const [, , high = 0, low = 0] = textAt(pod, 'status', 'podIP').split('.').map(Number);
  return high * 256 + low;
}
