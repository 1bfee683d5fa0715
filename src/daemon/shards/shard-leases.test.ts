import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupLabelOf, nameProblems, replicaLease, shardLease } from './shard-leases.ts';

const NAMES: readonly { reason: string; name: string; shards: number; said?: RegExp }[] = [
  { reason: 'what Metacontroller calls it', name: 'metacontroller', shards: 8 },
  { reason: 'dots are allowed', name: 'team-a.example.com', shards: 1 },
  { reason: 'the longest', name: 'x'.repeat(228), shards: 256 },
  { reason: 'too long for the Lease of a replica', name: 'x'.repeat(229), shards: 1, said: /too long/ },
  { reason: 'capitals', name: 'Metactl', shards: 2, said: /can not be the name/ },
  { reason: 'nothing', name: '', shards: 2, said: /can not be the name/ },
  { reason: 'no shards', name: 'x', shards: 0, said: /at least one/ },
  { reason: 'less than none', name: 'x', shards: -3, said: /at least one/ },
  { reason: 'half a shard', name: 'x', shards: 1.5, said: /at least one/ },
];

for (const { reason, name, shards, said } of NAMES)
  test(`lease names: ${reason}`, () => {
    const summaries = nameProblems(name, shards).map(({ summary }) => summary);
    assert.equal(summaries.length, said ? 1 : 0, summaries.join());
    if (said) return assert.match(summaries.join(), said);
    for (const lease of [shardLease(name, shards - 1), replicaLease(name, 'pod-0_0123456789abcdef')])
      assert.ok(lease.length <= 253, lease);
    assert.ok(groupLabelOf(name).length <= 63);
  });

test('replicas have Leases of their own', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => replicaLease('l', `pod-${index}_${index}`));
  assert.equal(new Set(names).size, names.length);
});
