// A loop without an end over objects in memory, on a clock that the test moves. What is written is in the cache at once, as the
// real one has it.

import { Loop, type LoopOptions, type RoundReport } from '../loop/index.ts';
import type { CompositeDefinition } from '../model/definition.ts';
import type { HookAnswer, HookCall } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import type { HookCaller } from '../ports/hook.ts';
import type { Controller } from '../reconcile/index.ts';
import { FakeCache } from './fake-cache.ts';
import { FakeClock } from './fake-clock.ts';
import { nothingRelated } from './fake-related.ts';
import { FakeStore } from './fake-store.ts';
import { CONFIG_MAPS, ofWidgets, WIDGETS, widgetController } from './objects.ts';

interface Said {
  readonly status?: object;
  readonly children?: readonly object[];
  readonly resyncAfterSeconds?: number;
  readonly relatedResources?: readonly object[];
  readonly finalized?: boolean;
}

/** A hook that says what the test tells it to, or is down, or answers when it is let. */
class LoopHooks implements HookCaller {
  readonly calls: string[] = [];
  /** Of everything. */
  says: Said | ((call: HookCall) => Said) = { children: [], status: {} };
  down = false;
  held: Promise<void> | undefined;

  async call(call: HookCall): Promise<HookAnswer> {
    const { id, controller, parent, hook } = call;
    this.calls.push(`${controller.split('/')[1]} ${parent.name}`);
    await this.held;
    const said = typeof this.says === 'function' ? this.says(call) : this.says;
    if (!this.down) return { kind: 'hook', id, ok: true, body: JSON.parse(JSON.stringify(said)) };
    const diagnostic = { severity: 'error', code: 'hook-failed', summary: `${hook.kind} is down` } as const;
    return { kind: 'hook', id, ok: false, diagnostic };
  }

  async close(): Promise<void> {}
}

class LiveCache extends FakeCache {
  override record(type?: ResourceType, written?: { before?: KubeObject; result: KubeObject | undefined }): void {
    if (type && written) this.show(type, written.before, written.result);
  }

  /** Puts what is there in the place of what was, and tells of it. */
  show(type: ResourceType, gone: KubeObject | undefined, after: KubeObject | undefined): void {
    const key = refKey(refOf((after ?? gone) as KubeObject));
    const isIt = (object: KubeObject): boolean => refKey(refOf(object)) === key;
    const before = this.objects.find(isIt);
    if (before && after && before.metadata.resourceVersion === after.metadata.resourceVersion) return;
    this.objects = [...this.objects.filter((object) => !isIt(object)), ...(after ? [after] : [])];
    this.tell({ type, before, after });
  }
}

const WEBHOOK = { kind: 'webhook', url: 'http://hooks/sync' } as const;

/** Of widgets, with config maps. */
export function webhookController(more: Partial<CompositeDefinition> = {}): Controller {
  const definition = { ...widgetController({ hook: WEBHOOK }), ...more };
  return {
    ...ofWidgets(definition),
    parentType: WIDGETS,
    childTypes: [CONFIG_MAPS],
    parentScope: { type: WIDGETS },
    childScopes: [{ type: CONFIG_MAPS }],
  };
}

export interface LoopBench {
  readonly clock: FakeClock;
  readonly cache: LiveCache;
  readonly store: FakeStore;
  readonly hooks: LoopHooks;
  readonly loop: Loop;
  readonly rounds: RoundReport[];
  /** Somebody else writes it: new in the store, and told of. */
  edit(type: ResourceType, object: KubeObject): void;
  /** As much as comes of what has happened, without that time passes. */
  turns(count?: number): Promise<void>;
  pass(ms: number, stepMs?: number): Promise<void>;
  stop(): Promise<string>;
}

export function loopBench(parents: readonly KubeObject[], workers = { each: 2, all: 10 }): LoopBench {
  const clock = new FakeClock();
  const store = new FakeStore();
  const cache = new LiveCache(parents.map((parent) => store.put(parent)));
  const hooks = new LoopHooks();
  const rounds: RoundReport[] = [];
  const dryRuns = { ask: () => Promise.reject(new Error('nobody asks for a dry run')) };
  const schemas = { schemaOf: async () => undefined };
  const ports = { cache, hooks, related: nothingRelated, clock, reader: store, writer: store, schemas, dryRuns };
  const options: LoopOptions = {
    ...{ target: () => true, guard: () => [], patience: 'endless', concurrency: 4, workers },
    ...{ onProgress: () => undefined, onRound: (round) => rounds.push(round), onGuarded: () => undefined },
    ...{ onRefusedWatch: () => undefined, signal: new AbortController().signal },
  };
  const loop = new Loop(ports, options);
  let stopping = false;
  const ended = loop.run(() => (stopping && loop.running === 0 ? { kind: 'end', value: 'ended' } : { kind: 'wait' }));
  const turns = async (count = 20): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ clock, cache, store, hooks, loop, rounds, turns },
    edit: (type, object) => cache.show(type, undefined, store.put(object)),
    pass: async (ms, stepMs = 250) => {
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(left, stepMs));
        await turns();
      }
    },
    stop: () => {
      stopping = true;
      loop.stop();
      return ended;
    },
  };
}
