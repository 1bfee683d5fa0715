// Who may write, in the three ways of a daemon: the only one; one of several, by a Lease; several, each for its shards.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Election, nameProblems, ShardGroup, shardLease } from '../../daemon/index.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Logger } from '../../ports/log.ts';
import type { World } from '../open.ts';
import type { AppEnvironment } from '../options.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { ShardServing } from './shard-serving.ts';

export interface Leadership {
  /** Resolves when there is something to do. Rejects with the signal's reason, and is over then. */
  acquire(signal: AbortSignal): Promise<void>;
  /** From then on; `stop`: nothing new is begun, `ended`: nothing is under way any more. Resolves with whether all was lost before that. */
  hold(signals: { readonly stop: AbortSignal; readonly ended: AbortSignal }): Promise<'lost' | 'stopped'>;
  /** Asked right before each write that is for the parent. */
  mayWrite(parent?: KubeObject): boolean;
  /** Of anything. */
  leads(): boolean;
  /** Whether each Lease is ours, by name. */
  leases(): ReadonlyMap<string, boolean>;
  /** Nothing of ours is written any more: the next one may begin at once. */
  release(): Promise<void>;
  readonly shards?: ShardServing;
}

export interface LeadershipSetting {
  readonly options: Pick<DaemonOptions, 'election' | 'shadow' | 'version'>;
  readonly environment: Pick<AppEnvironment, 'clock'>;
  readonly log: Logger;
  readonly world: Pick<World, 'namespace'> & { readonly client: Leases };
}

export function leadershipOf(setting: LeadershipSetting): Leadership {
  const { options } = setting;
  const { election } = options;
  // A shadow writes nothing, and needs nobody's leave.
  if (!election || options.shadow) return ALONE;
  if (election.shards === undefined) return elected(electionOf(setting, election), election.name);
  const problems = nameProblems(election.name, election.shards);
  if (problems.length > 0) throw new DiagnosticError(problems);
  const { shards } = election;
  const lease = leaseOptions(setting, election);
  return new SharedLeadership(new ShardGroup({ ...lease, shards }), new ShardServing(shards), election.name);
}

const ALONE: Leadership = {
  acquire: async () => undefined,
  hold: async () => 'stopped',
  mayWrite: () => true,
  leads: () => true,
  leases: () => new Map(),
  release: async () => undefined,
};

function elected(election: Election, name: string): Leadership {
  return {
    acquire: (signal) => election.acquire(signal),
    // Renewed while what is under way at a signal is finished, too.
    hold: ({ ended }) => election.hold(ended),
    mayWrite: () => election.isLeader(),
    leads: () => election.isLeader(),
    leases: () => new Map([[name, election.isLeader()]]),
    release: () => election.release(),
  };
}

class SharedLeadership implements Leadership {
  readonly shards: ShardServing;
  readonly #group: ShardGroup;
  readonly #name: string;
  /** The Leases are renewed until here: what is under way at a signal is finished under them. */
  readonly #over = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(group: ShardGroup, shards: ShardServing, name: string) {
    this.#group = group;
    this.shards = shards;
    this.#name = name;
  }

  async acquire(signal: AbortSignal): Promise<void> {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    this.#running = this.#group.run(this.shards, this.#over.signal);
    const off = onAbort(signal, () => reject(signal.reason));
    try {
      await Promise.race([this.shards.first, stopped, this.#running]);
    } catch (error) {
      await this.release();
      throw error;
    } finally {
      off();
    }
  }

  async hold({ stop, ended }: Parameters<Leadership['hold']>[0]): Promise<'stopped'> {
    const off = onAbort(stop, () => void this.#group.stopTaking());
    const { promise: over, resolve } = Promise.withResolvers<void>();
    onAbort(ended, resolve);
    try {
      await Promise.race([this.#running, over]);
    } finally {
      off();
    }
    return 'stopped';
  }

  mayWrite(parent?: KubeObject): boolean {
    return parent !== undefined && this.#group.mayWrite(this.shards.shardOf(parent));
  }

  leads(): boolean {
    return [...this.leases().values()].some((ours) => ours);
  }

  leases(): ReadonlyMap<string, boolean> {
    return new Map(
      Array.from({ length: this.#group.shards }, (_, shard) => [
        shardLease(this.#name, shard),
        this.#group.mayWrite(shard),
      ]),
    );
  }

  async release(): Promise<void> {
    this.#over.abort(new Error('the daemon has ended'));
    await this.#running;
    await this.#group.leave();
  }
}

/** At once, where it is aborted already. */
function onAbort(signal: AbortSignal, work: () => void): () => void {
  signal.addEventListener('abort', work, { once: true });
  if (signal.aborted) work();
  return () => signal.removeEventListener('abort', work);
}

function electionOf(setting: LeadershipSetting, wanted: NonNullable<DaemonOptions['election']>): Election {
  return new Election(leaseOptions(setting, wanted));
}

function leaseOptions(
  { options, environment, log, world }: LeadershipSetting,
  { name, namespace = world.namespace, timing }: NonNullable<DaemonOptions['election']>,
) {
  const { version } = options;
  const { clock } = environment;
  // Unique to the process: a restarted container has the name of the one before.
  const identity = `${hostname()}_${randomBytes(8).toString('hex')}`;
  const lease = { leases: world.client, namespace, name, identity, version, ...(timing ? { timing } : {}) };
  return { ...lease, clock, monotonic: () => clock.steady(), log };
}
