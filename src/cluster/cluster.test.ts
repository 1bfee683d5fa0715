// The whole room: what loads when, and the client and its caches against the real server.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import type { Clock } from '../kit/clock.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import { realServer } from '../testing/real-server.ts';
import { until } from '../testing/until.ts';
import { type ClusterClient, connect, createCache, createClient } from './index.ts';

const run = promisify(execFile);
const server = await realServer();
const skip = server.available ? false : server.reason;

const clock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  schedule: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

async function open(kubeconfig?: string): Promise<ClusterClient> {
  assert.ok(server.available);
  const connection = await connect({ kubeconfig: kubeconfig ?? server.kubeconfig, variables: {}, clock });
  assert.ok(connection);
  return createClient(connection.transport, { clock });
}

describe('what is loaded', () => {
  it('the door loads neither undici nor client-node', async () => {
    const door = JSON.stringify(new URL('./index.ts', import.meta.url).href);
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) });
      await import(${door});
      console.log(seen.filter((url) => /node_modules.(undici|@kubernetes)/.test(url)).length, seen.length > 10);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(stdout.trim(), '0 true');
  });
});

describe('the real server', { skip }, () => {
  /** Every test has a namespace of its own; none is deleted (that takes the server 5 s each). */
  async function place(client: ClusterClient): Promise<{ namespace: string; type: ResourceType }> {
    const [namespaces, type] = await Promise.all([client.byKind('v1', 'Namespace'), client.byKind('v1', 'ConfigMap')]);
    assert.ok(namespaces && type);
    const namespace = `cluster-${randomUUID().slice(0, 8)}`;
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await client.write({ verb: 'create', type: namespaces, object, fieldManager: 'test' });
    return { namespace, type };
  }

  const map = (namespace: string, name: string, more: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    ...more,
  });

  it('pages, and finds every object once', async () => {
    const client = createClient((await connectTransport()).transport, { clock, pageSize: 7 });
    const { namespace, type } = await place(client);
    const names = Array.from({ length: 30 }, (_, i) => `m-${String(i).padStart(2, '0')}`);
    await Promise.all(
      names.map((name) => client.write({ verb: 'create', type, object: map(namespace, name), fieldManager: 'test' })),
    );
    const { items } = await client.list(type, { namespace });
    const own = items.map((item) => item.metadata.name).filter((name) => name?.startsWith('m-'));
    assert.deepEqual(own, names);
    await client.close();
  });

  it('a cache that follows ends equal to a fresh list, and reads our writes at once', async () => {
    const client = await open();
    const { namespace, type } = await place(client);
    const cache = createCache(client, { follow: true, clock });
    const scope = { type, namespace };
    await cache.ensure(scope);
    const errors: Error[] = [];
    cache.onError((error) => errors.push(error));
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const name = `m-${i}`;
        const made = await client.write({ verb: 'create', type, object: map(namespace, name), fieldManager: 'test' });
        cache.record(type, { result: made });
        assert.equal(cache.get(scope, name, namespace)?.metadata.uid, made?.metadata.uid);
        assert.ok(made);
        const object = { ...made, data: { i: String(i) } };
        const updated = await client.write({ verb: 'update', type, object, fieldManager: 'test' });
        cache.record(type, { before: made, result: updated });
        assert.deepEqual(cache.get(scope, name, namespace)?.['data'], { i: String(i) });
        if (i % 2 === 0) return;
        const { uid = '' } = made.metadata;
        await client.write({ verb: 'delete', type, name, namespace, uid, fieldManager: 'test' });
        cache.record(type, { before: updated ?? made, result: undefined });
        assert.equal(cache.get(scope, name, namespace), undefined);
      }),
    );
    await until('the cache has caught up', () => cache.caughtUp());
    const fresh = await client.list(type, { namespace });
    const versions = (objects: readonly KubeObject[]): string[] =>
      objects.map((one) => `${one.metadata.name}@${one.metadata.resourceVersion}`).sort();
    assert.deepEqual(versions(cache.list(scope)), versions(fresh.items));
    assert.deepEqual(errors, []);
    await cache.close();
    await client.close();
  });

  it('keeps the server’s Status: AlreadyExists, Conflict, Invalid', async () => {
    const client = await open();
    const { namespace, type } = await place(client);
    const create = (object: KubeObject): Promise<unknown> =>
      client.write({ verb: 'create', type, object, fieldManager: 'test' });
    await create(map(namespace, 'a'));
    const refused = async (write: Promise<unknown>): Promise<unknown> => {
      const error = await write.then(
        () => assert.fail('the write succeeded'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof Error && 'status' in error);
      const { code, reason } = error.status as { code: number; reason: string };
      return `${code} ${reason}`;
    };
    assert.equal(await refused(create(map(namespace, 'a'))), '409 AlreadyExists');
    assert.equal(await refused(create(map(namespace, 'Not-A-Name'))), '422 Invalid');
    const remove = { verb: 'delete', type, name: 'a', namespace, fieldManager: 'test' } as const;
    assert.equal(await refused(client.write({ ...remove, uid: 'another' })), '409 Conflict');
    assert.equal(await client.write(remove), undefined);
    assert.equal(await client.get(type, 'a', namespace), undefined);
    await client.close();
  });

  it('a certificate for another name, and one of an unknown authority', async () => {
    assert.ok(server.available);
    const directory = await mkdtemp(join(tmpdir(), 'metactl-tls-'));
    const config = parse(await readFile(server.kubeconfig, 'utf8'));
    const [{ cluster }] = config.clusters;
    const { 'certificate-authority-data': _, 'certificate-authority': __, ...bare } = cluster;
    const cases: [string, object, RegExp | undefined][] = [
      ['other-name', { ...cluster, 'tls-server-name': 'other.example' }, /another name/],
      ['no-authority', bare, /trusted authority/],
      ['skipped', { ...bare, 'insecure-skip-tls-verify': true }, undefined],
    ];
    for (const [name, content, words] of cases) {
      const file = join(directory, name);
      const { name: of } = config.clusters[0];
      await writeFile(file, stringify({ ...config, clusters: [{ name: of, cluster: content }] }));
      const client = await open(file);
      const version = client.serverVersion();
      if (words === undefined) assert.match(await version, /^v1\./);
      else await assert.rejects(version, { name: 'ConnectionError', message: words });
      await client.close();
    }
    await rm(directory, { recursive: true });
  });

  async function connectTransport(): Promise<NonNullable<Awaited<ReturnType<typeof connect>>>> {
    assert.ok(server.available);
    const connection = await connect({ kubeconfig: server.kubeconfig, variables: {}, clock });
    assert.ok(connection);
    return connection;
  }
});
