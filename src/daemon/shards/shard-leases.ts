// The Leases of a group of replicas, by name: the group's own (that of an election without shards, so that the two exclude
// each other), one for each shard, one for each replica that is alive. And what is recorded in them.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { hash32, SHARD_SCHEME } from './shard-of.ts';

export const GROUP_LABEL = 'metactl.dev/lease';
export const SHARDS_ANNOTATION = 'metactl.dev/shards';

/** Whoever shares the parents in this way holds the group's Lease, all replicas together: others wait. */
export const groupHolder = (shards: number): string => `shards-${shards}.v${SHARD_SCHEME}`;

export const shardLease = (name: string, shard: number): string => `${name}-shard-${shard}`;

export const replicaLease = (name: string, identity: string): string =>
  `${name}-replica-${hash32(identity).toString(16)}${hash32(`${identity} again`).toString(16)}`;

/** A label's value has at most 63 characters. */
export const groupLabelOf = (name: string): string => (name.length <= 63 ? name : `group-${hash32(name).toString(16)}`);

/** A Lease's name: a DNS subdomain. */
const MOST_CHARACTERS = 253;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** What is wrong with a lease name that shards are to be derived from. */
export function nameProblems(name: string, shards: number): readonly Diagnostic[] {
  if (!Number.isSafeInteger(shards) || shards < 1)
    return [usage(`${shards} shards: there must be at least one`, 'Leave --shards out for one leader.')];
  const longest = Math.max(...[shardLease(name, shards - 1), replicaLease(name, '')].map(({ length }) => length));
  // A replica's has up to 16 hex digits, whatever it is here.
  const most = MOST_CHARACTERS - (Math.max(longest, `${name}-replica-`.length + 16) - name.length);
  if (name.length > most)
    return [
      usage(`the lease name is too long: ${name.length} characters`, `With ${shards} shards it may have ${most}.`),
    ];
  if (SUBDOMAIN.test(name)) return [];
  return [usage(`${JSON.stringify(name)} can not be the name of a Lease`, 'Lower case letters, digits, "-" and ".".')];
}

const usage = (summary: string, hint: string): Diagnostic => ({
  severity: 'error',
  code: 'usage',
  summary: `--shards: ${summary}`,
  hint,
});
