// An API server inside the process: puts the parts together. No socket, no state outside of what is returned.

import { randomInt } from 'node:crypto';
import type { Clock } from '../kit/clock.ts';
import { formatTime } from '../kit/clock.ts';
import type { Transport } from '../ports/transport.ts';
import { Collector } from './collector/collector.ts';
import type { Core } from './core.ts';
import { CrdController } from './crd/controller.ts';
import { CRD_ID, isEstablished, kindOfCrd } from './crd/kind.ts';
import { SandboxTransport } from './http/transport.ts';
import type { Journal } from './journal.ts';
import { NamespaceController } from './namespaces/controller.ts';
import { INITIAL_NAMESPACES, NAMESPACE_ID, prepareNamespace } from './namespaces/rules.ts';
import { seededRandom } from './random.ts';
import { Registry } from './registry/registry.ts';
import { restoreSnapshot, type SandboxSnapshot, takeSnapshot } from './snapshot/snapshot.ts';
import { type CommittedChange, keyOf, Store } from './store/store.ts';
import type { Watch } from './verbs/watch.ts';
import type { WorkloadApi } from './workload-api.ts';
import { StoreWorkloadApi } from './workload-store.ts';
import { type ReadinessModel, startWorkloads } from './workloads/index.ts';

export interface SandboxOptions {
  readonly clock: Clock;
  /** For uids and generated names; random unless given. Two runs with one seed make the same objects. */
  readonly seed?: number;
  /** Absent: nothing outlives the process. */
  readonly journal?: Journal;
  /** When pods become Ready: the first model that matches a pod is its own. None: one second after its creation. */
  readonly models?: readonly ReadinessModel[];
  /** false: nobody plays the workload controllers, the scheduler and the kubelets; objects stay as they are written. */
  readonly workloads?: boolean;
  /**
   * false: an API server alone, as a real one is. Nobody collects garbage and empties namespaces either: that is left to
   * a kube-controller-manager.
   */
  readonly controllers?: boolean;
}

export interface Sandbox {
  readonly transport: Transport;
  /**
   * For tests of clients: from now on the past is forgotten, so watches and pages from an earlier resourceVersion get
   * 410. `endWatches` also ends the open watches with an ERROR event of that Status.
   */
  forgetHistory(options?: { readonly endWatches?: boolean }): void;
  /** All objects as they are now. */
  snapshot(): SandboxSnapshot;
  /** Back to the objects of a snapshot, also of another sandbox: what differs is written (snapshot/snapshot.ts). */
  restore(snapshot: SandboxSnapshot): void;
  /** Ends open watches and the journal. */
  close(): Promise<void>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const store = new Store(options.journal);
  const registry = new Registry();
  if (options.journal) store.replay(options.journal);
  const seed = (options.seed ?? randomInt(2 ** 32)) + store.resourceVersion - 1;
  const core: Core = { clock: options.clock, random: seededRandom(seed), registry, store };
  for (const crd of store.collection({ id: CRD_ID }).range('')) {
    if (isEstablished(crd.object)) registry.add(kindOfCrd(crd.object));
  }
  const watches = new Set<Watch>();
  const { clock, models = [], controllers = true } = options;
  const { settle, workloads } = startControllers(core, controllers);
  createNamespaces(core);
  const simulated = controllers && options.workloads !== false;
  const simulator = simulated ? startWorkloads(workloads, { clock, models }) : undefined;
  const transport = new SandboxTransport({
    core,
    settle,
    onWatch: (watch, stream) => {
      watches.add(watch);
      stream.onEnd(() => watches.delete(watch));
    },
  });
  return {
    transport,
    forgetHistory: ({ endWatches = false } = {}) => {
      store.forgetHistory();
      if (endWatches) for (const watch of [...watches]) watch.expire();
    },
    snapshot: () => takeSnapshot(core),
    restore: (snapshot) => {
      restoreSnapshot(core, snapshot);
      settle();
    },
    close: async () => {
      simulator?.stop();
      await transport.close();
      await options.journal?.close();
    },
  };
}

/** The namespaces that every cluster has. */
function createNamespaces(core: Core): void {
  const namespaces = core.store.collection(NAMESPACE_ID);
  for (const name of INITIAL_NAMESPACES) {
    if (namespaces.get(name)) continue;
    const metadata = { name, uid: core.random.uid(), creationTimestamp: formatTime(core.clock.now()) };
    core.store.put(NAMESPACE_ID, prepareNamespace({ apiVersion: 'v1', kind: 'Namespace', metadata }));
  }
}

interface Controller {
  note(change: CommittedChange): void;
  /** Does one piece of work; false when there is none. */
  step(): boolean;
}

/**
 * Wires what reacts to changes. The returned function runs it until nothing is left to do: first what deletes
 * (in the order of the list), then the workloads, one change at a time.
 */
function startControllers(core: Core, all: boolean): { settle: () => void; workloads: WorkloadApi } {
  let settling = false;
  const settle = (): void => {
    if (settling) return;
    settling = true;
    try {
      while (controllers.some((controller) => controller.step()));
    } finally {
      settling = false;
    }
  };
  const workloads = new StoreWorkloadApi(core, settle);
  const ofTheServer = new CrdController(core);
  const controllers: Controller[] = all
    ? [ofTheServer, new Collector(core), new NamespaceController(core), workloads]
    : [ofTheServer];
  core.store.onCommit((change) => {
    for (const controller of controllers) controller.note(change);
  });
  // What a journal brought back is new to the controllers: they index it and finish what was not finished.
  for (const kind of [...core.registry.all()]) {
    for (const after of core.store.collection(kind).range('')) {
      const change = { kind, rv: after.rv, key: keyOf(after.object), before: undefined, after, deleted: undefined };
      for (const controller of controllers) controller.note(change);
    }
  }
  settle();
  return { settle, workloads };
}
