// Which shard a parent belongs to. Every replica must come to the same answer, whatever its version: a change here is a new
// SHARD_SCHEME, and replicas of different schemes do not work side by side (shard-group.ts).

/** Of the parent: what decides. */
export interface ShardKey {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The way in which keys become shards; recorded in the Leases beside their number. */
export const SHARD_SCHEME = 1;

/**
 * 0 to `shards` - 1. A namespace is in one shard with everything in it, so that a replica need not hold the objects of others;
 * what is in no namespace goes by its name. So a Namespace is where its content is.
 */
export function shardOf({ namespace, name = '' }: ShardKey, shards: number): number {
  return hash32(namespace === undefined || namespace === '' ? name : namespace) % shards;
}

/** FNV-1a of the UTF-16 units, stirred once more (the finalizer of MurmurHash3), as names mostly differ in their last digits. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
