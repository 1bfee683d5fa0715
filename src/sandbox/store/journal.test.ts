import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, crd, metadataOf, sandboxBench } from '../../testing/sandbox-bench.ts';
import type { Journal, JournalRecord } from '../journal.ts';

class MemoryJournal implements Journal {
  readonly records: JournalRecord[] = [];
  full = false;
  replay(): readonly JournalRecord[] {
    return [...this.records];
  }
  append(record: JournalRecord): void {
    if (this.full) throw new Error('no space left');
    this.records.push(record);
  }
  async close(): Promise<void> {}
}

test('a sandbox that is opened again has what was there, and goes on from its resourceVersion', async () => {
  const journal = new MemoryJournal();
  const first = sandboxBench({ journal });
  await first.ok('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd('cats', 'Cat'));
  const cat = { apiVersion: 'example.com/v1', kind: 'Cat', metadata: { name: 'tom' } };
  const tom = await first.ok('POST /apis/example.com/v1/namespaces/default/cats', cat);
  await first.ok('POST /api/v1/namespaces/default/configmaps', configMap('a'));
  await first.ok('DELETE /api/v1/namespaces/default/configmaps/a');
  await first.sandbox.close();

  const second = sandboxBench({ journal });
  assert.deepEqual(await second.ok('GET /apis/example.com/v1/namespaces/default/cats/tom'), tom);
  assert.equal((await second.send('GET /api/v1/namespaces/default/configmaps/a')).status, 404);
  const jerry = await second.ok('POST /apis/example.com/v1/namespaces/default/cats', {
    ...cat,
    metadata: { name: 'jerry' },
  });
  const rv = (object: typeof tom): number => Number(metadataOf(object)['resourceVersion']);
  assert.ok(rv(jerry) > rv(tom));
  assert.notEqual(metadataOf(jerry)['uid'], metadataOf(tom)['uid'], 'the same seed must not give the same uid again');
});

test('a watch from before the restart is too old', async () => {
  const journal = new MemoryJournal();
  const first = sandboxBench({ journal });
  await first.ok('POST /api/v1/namespaces/default/configmaps', configMap('a'));
  const second = sandboxBench({ journal });
  const [event] = await second.watch('/api/v1/configmaps?resourceVersion=2');
  assert.equal(event?.type, 'ERROR');
  assert.equal(event?.object['code'], 410);
});

test('what the journal refuses did not happen', async () => {
  const journal = new MemoryJournal();
  const bench = sandboxBench({ journal });
  journal.full = true;
  const refused = await bench.send('POST /api/v1/namespaces/default/configmaps', configMap('a'));
  assert.equal(refused.status, 500);
  assert.match(refused.text, /no space left/);
  journal.full = false;
  assert.equal((await bench.send('GET /api/v1/namespaces/default/configmaps/a')).status, 404);
});

test('a deletion that the process did not finish is finished on opening', async () => {
  const journal = new MemoryJournal();
  const first = sandboxBench({ journal });
  const owner = await first.ok('POST /api/v1/namespaces/default/configmaps', configMap('owner'));
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadataOf(owner)['uid'] ?? '' }];
  await first.ok('POST /api/v1/namespaces/default/configmaps', configMap('child', { ownerReferences }));
  const length = journal.records.length;
  await first.ok('DELETE /api/v1/namespaces/default/configmaps/owner');
  journal.records.length = length + 1;
  const second = sandboxBench({ journal });
  assert.equal((await second.send('GET /api/v1/namespaces/default/configmaps/child')).status, 404);
});

test('rules and new defaults of a definition hold for what a journal brought back', async () => {
  const journal = new MemoryJournal();
  const CATS = '/apis/example.com/v1/namespaces/default/cats';
  const cat = { apiVersion: 'example.com/v1', kind: 'Cat', metadata: { name: 'tom' }, spec: { lives: 9 } };
  const properties = { lives: { type: 'integer' } };
  const spec = { type: 'object', properties, 'x-kubernetes-validations': [{ rule: 'self.lives < 10' }] };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const first = sandboxBench({ journal });
  await first.ok('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd('cats', 'Cat', { schema }));
  await first.ok(`POST ${CATS}`, cat);
  const added = { ...spec, properties: { ...properties, mood: { type: 'string', default: 'calm' } } };
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } };
  await first.ok('PATCH /apis/apiextensions.k8s.io/v1/customresourcedefinitions/cats.example.com', {
    spec: { versions: [{ ...version, schema: { openAPIV3Schema: { type: 'object', properties: { spec: added } } } }] },
  });
  const tom = await first.ok(`GET ${CATS}/tom`);
  assert.deepEqual(tom['spec'], { lives: 9, mood: 'calm' });
  await first.sandbox.close();

  const second = sandboxBench({ journal });
  assert.deepEqual(await second.ok(`GET ${CATS}/tom`), tom);
  const refused = await second.send(`PATCH ${CATS}/tom`, { spec: { lives: 10 } });
  assert.match(refused.text, /failed rule: self.lives < 10/);
});
