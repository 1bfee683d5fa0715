// Which replica is to have which shard: a pure function of who is alive and who holds what, so that all replicas come to the
// same answer from the same Leases. Invariants (assignment.test.ts): every shard has one replica; no two replicas differ by
// more than one shard; who holds a shard keeps it unless it has too many; what is free goes by rendezvous hashing.

import { hash32 } from './shard-of.ts';

export interface Standing {
  readonly shards: number;
  /** Those that are alive. */
  readonly replicas: readonly string[];
  /** Shard → who has its Lease now. One who is not alive counts for nothing. */
  readonly holders: ReadonlyMap<number, string>;
}

/** By shard; empty where nobody is alive. */
export function assignShards({ shards, replicas, holders }: Standing): ReadonlyMap<number, string> {
  const alive = [...new Set(replicas)].sort();
  if (alive.length === 0) return new Map();
  const held = new Map<string, number[]>(alive.map((replica) => [replica, []]));
  for (const [shard, replica] of holders) if (shard < shards) held.get(replica)?.push(shard);
  const quotas = quotasOf(shards, held);
  const assigned = new Map<number, string>();
  const room = new Map<string, number>();
  for (const [replica, own] of held) {
    const quota = quotas.get(replica) ?? 0;
    const kept = own.sort((a, b) => preference(b, replica) - preference(a, replica) || a - b).slice(0, quota);
    for (const shard of kept) assigned.set(shard, replica);
    if (kept.length < quota) room.set(replica, quota - kept.length);
  }
  const free = Array.from({ length: shards }, (_, shard) => shard).filter((shard) => !assigned.has(shard));
  for (const { shard, replica } of byPreference(free, [...room.keys()])) {
    const left = room.get(replica) ?? 0;
    if (left === 0 || assigned.has(shard)) continue;
    assigned.set(shard, replica);
    room.set(replica, left - 1);
  }
  return assigned;
}

/** Together exactly `shards`. Where they can't be equal, those who hold most may keep one more. */
function quotasOf(shards: number, held: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, number> {
  const least = Math.floor(shards / held.size);
  const more = shards % held.size;
  const order = [...held].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  return new Map(order.map(([replica], place) => [replica, place < more ? least + 1 : least]));
}

/** Rendezvous hashing: every replica ranks every shard, and the highest one has it. */
function byPreference(shards: readonly number[], replicas: readonly string[]) {
  return shards
    .flatMap((shard) => replicas.map((replica) => ({ shard, replica, score: preference(shard, replica) })))
    .sort((a, b) => b.score - a.score || a.shard - b.shard || (a.replica < b.replica ? -1 : 1));
}

const preference = (shard: number, replica: string): number => hash32(`${replica} ${shard}`);
