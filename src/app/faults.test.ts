// An API server in trouble, and networks that are: what passes is waited for and the end is the right one, nothing done
// twice; what does not pass ends with one clear error within a bounded time, and nothing is half-written.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ApiRequest } from '../ports/transport.ts';
import { type Fault, faultOn, kubeconfigFor } from '../sandbox/index.ts';
import { createAuthority } from '../testing/certificates.ts';
import { type FaultyFront, faultyFront } from '../testing/faulty-front.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const HOOK = `
  const maps = request.parent.spec.maps ?? {};
  const children = Object.entries(maps).map(([name, data]) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data,
  }));
  return { status: { maps: children.length }, children };
`;
const MAPS = { a: { k: '1' }, b: { k: '1' }, c: {} };
const EDITED = { a: { k: '2' }, b: { k: '1' }, d: {} };

interface Stage extends UseCases {
  readonly front: FaultyFront;
  readonly project: ProjectDirectory;
  readonly group: string;
  children(): Promise<Record<string, unknown>>;
  status(): Promise<unknown>;
}

let counter = 0;

async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `faults-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: HOOK, spec: { maps: MAPS } });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await faultyFront(target.transport, kubeconfig);
  after(async () => {
    await front.close();
    await project.remove();
  });
  const client = createClient(target.transport);
  return {
    front,
    project,
    group,
    // Short, so that a test of a server that hangs does not.
    ...useCases({
      cluster: { kubeconfig, requestTimeoutMs: 2_500 },
      paths: [project.path],
      namespace,
      allowEmpty: true,
    }),
    children: () => childrenOf(client, namespace),
    status: async () => {
      const type = await client.byResource(`${group}/v1`, 'things');
      return type && (await client.get(type, 'one', namespace))?.['status'];
    },
  };
}

async function childrenOf(client: ClusterClient, namespace: string): Promise<Record<string, unknown>> {
  const { items } = await client.list(CONFIG_MAPS, { namespace });
  const owned = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Thing');
  return Object.fromEntries(owned.map((item) => [item.metadata.name, item['data'] ?? {}]));
}

const status = (code: number, more: { retryAfter?: number; text?: string } = {}): Fault => ({
  kind: 'status',
  code,
  ...more,
});
const told = (fault: Fault): string =>
  fault.kind === 'status' ? `${fault.code}${fault.retryAfter === undefined ? '' : ', Retry-After'}` : fault.kind;
const isRead = ({ method, longLived }: ApiRequest): boolean => method === 'GET' && longLived !== true;
const isWatch = ({ longLived }: ApiRequest): boolean => longLived === true;
const on = (method: ApiRequest['method'], part: string) => (request: ApiRequest) =>
  request.method === method && request.longLived !== true && request.path.includes(part);

const codesOf = (diagnostics: readonly Diagnostic[]): string[] => [
  ...new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)),
];

/** Everything is as a run without faults would have left it, and each child was created once. */
async function assertRight({ front, plan, children, status }: Stage, maps: Record<string, unknown> = MAPS) {
  front.setPlan(undefined);
  assert.deepEqual(await children(), maps);
  assert.deepEqual(await status(), { maps: Object.keys(maps).length, observedGeneration: maps === MAPS ? 1 : 2 });
  const again = await plan();
  assert.deepEqual(
    again.plan?.parents.flatMap(({ steps }) => steps),
    [],
  );
  const created = front.writes.filter((write) => /^POST .*\/configmaps$/.test(write));
  assert.equal(created.length, maps === MAPS ? 3 : 4, 'a child was created twice');
}

const PASSING: readonly Fault[] = [
  status(429),
  status(429, { retryAfter: 0 }),
  status(500),
  status(503),
  status(503, { text: 'upstream connect error' }),
  { kind: 'reset' },
  { kind: 'half' },
  { kind: 'cut' },
];

/** All of them on the sandbox; on the real server, which answers the same below the front, those that differ most. */
function chosen(target: TestTarget, faults: readonly Fault[]): readonly Fault[] {
  const few = ['500', 'reset', 'lost', '409', '410'];
  return target.kind === 'sandbox' ? faults : faults.filter((fault) => few.includes(told(fault)));
}

forEachTarget('an API server in trouble', (target) => {
  describe('passing', { concurrency: 10 }, () => {
    for (const fault of chosen(target, PASSING))
      test(`${target.kind}: reads: ${told(fault)}`, async () => {
        const staged = await stage(target);
        staged.front.setPlan(faultOn(isRead, fault, 3));
        const { status, diagnostics } = await staged.apply();
        assert.equal(status, 'settled', JSON.stringify(diagnostics));
        await assertRight(staged);
      });

    for (const fault of chosen(target, [...PASSING, status(409), { kind: 'lost' }, { kind: 'hang' }]))
      for (const [what, matches] of [
        ['creating a child', on('POST', '/configmaps')],
        ['creating the parent', on('POST', '/things')],
        ["creating the parent's CRD", on('POST', '/customresourcedefinitions')],
        ['writing the status', on('PUT', '/status')],
      ] as const)
        test(`${target.kind}: ${what}: ${told(fault)}`, async () => {
          const staged = await stage(target);
          staged.front.setPlan(faultOn(matches, fault, fault.kind === 'hang' ? 1 : 2));
          const { status, diagnostics } = await staged.apply();
          assert.equal(status, 'settled', JSON.stringify(diagnostics));
          await assertRight(staged);
        });

    for (const fault of chosen(target, [...PASSING, status(409), { kind: 'lost' }]))
      test(`${target.kind}: changing, deleting: ${told(fault)}`, async () => {
        const staged = await stage(target);
        await staged.apply();
        await staged.project.parent({ maps: EDITED });
        const [update, remove] = [on('PUT', '/configmaps/'), on('DELETE', '/configmaps/')];
        staged.front.setPlan(faultOn((request) => update(request) || remove(request), fault, 3));
        const { status, diagnostics } = await staged.apply();
        assert.equal(status, 'settled', JSON.stringify(diagnostics));
        await assertRight(staged, EDITED);
      });

    const ofWatches: readonly Fault[] = [410, 429, 500, 503].map((code) => status(code));
    for (const fault of chosen(target, [...ofWatches, { kind: 'reset' }, { kind: 'cut' }, { kind: 'hang' }]))
      test(`${target.kind}: watching: ${told(fault)}`, async () => {
        const staged = await stage(target);
        staged.front.setPlan(faultOn(isWatch, fault, 2));
        const { status, diagnostics } = await staged.apply();
        assert.equal(status, 'settled', JSON.stringify(diagnostics));
        await assertRight(staged);
      });
  });

  describe('lasting', { concurrency: 10 }, () => {
    const lasting: readonly { readonly fault: Fault; readonly code: string }[] = [
      { fault: status(401), code: 'api-error' },
      { fault: status(403), code: 'forbidden' },
      { fault: status(404), code: 'api-error' },
      { fault: status(409), code: 'api-error' },
      { fault: status(410), code: 'api-error' },
      { fault: status(429), code: 'api-error' },
      { fault: status(429, { retryAfter: 3600 }), code: 'api-error' },
      { fault: status(500), code: 'api-error' },
      { fault: status(503), code: 'api-error' },
      { fault: { kind: 'reset' }, code: 'connection-failed' },
      { fault: { kind: 'half' }, code: 'connection-failed' },
      { fault: { kind: 'hang' }, code: 'connection-failed' },
    ];
    for (const { fault, code } of lasting) {
      if (!chosen(target, [fault]).includes(fault)) continue;
      test(`${target.kind}: every request: ${told(fault)} → ${code}, nothing written`, async () => {
        const { front, plan, apply } = await stage(target);
        front.setPlan(() => fault);
        assert.deepEqual(codesOf((await plan()).diagnostics), [code]);
        const applied = await apply();
        assert.deepEqual([applied.status, codesOf(applied.diagnostics), applied.applied], ['failed', [code], []]);
        assert.deepEqual(front.writes.length, 0);
      });

      if (fault.kind === 'half') continue; // a write is carried out then
      test(`${target.kind}: writes of children: ${told(fault)} → ${code}, the rest is done and told`, async () => {
        const { front, apply, children } = await stage(target);
        const b = (request: ApiRequest): boolean =>
          request.method === 'POST' && (request.body ?? '').includes('"name":"b"');
        front.setPlan(faultOn(b, fault));
        const { status, diagnostics, applied } = await apply({ timeoutMs: 8_000 });
        assert.deepEqual([status, codesOf(diagnostics)], ['failed', [code]]);
        assert.match(diagnostics[0]?.summary ?? '', /create ConfigMap .*\/b/);
        const { b: _left, ...others } = MAPS;
        assert.deepEqual(await children(), others);
        const done = applied.filter(({ outcome, change }) => outcome.kind === 'done' && change.action === 'create');
        assert.deepEqual(
          done
            .map(({ change }) => change.object.name)
            .filter((name) => name in MAPS)
            .sort(),
          ['a', 'c'],
        );
      });
    }

    test(`${target.kind}: a whole group answers 404 → api-error, nothing written`, async () => {
      const { front, apply, plan, group, project } = await stage(target);
      await apply();
      await project.parent({ maps: EDITED });
      const before = front.writes.length;
      const inGroup = ({ path }: ApiRequest): boolean => path.startsWith(`/apis/${group}/`);
      front.setPlan(faultOn(inGroup, status(404, { text: '404 page not found' })));
      assert.deepEqual(codesOf((await plan()).diagnostics), ['api-error']);
      assert.equal((await apply()).status, 'failed');
      assert.equal(front.writes.length, before);
    });

    for (const [fault, code] of [
      [status(403), 'forbidden'],
      [status(401), 'api-error'],
    ] as const)
      test(`${target.kind}: watches refused with ${fault.kind === 'status' && fault.code} → ${code}, soon, with what was done`, async () => {
        const { front, apply, children } = await stage(target);
        front.setPlan(faultOn(isWatch, fault));
        const { status, diagnostics, applied } = await apply();
        assert.deepEqual([status, codesOf(diagnostics)], ['failed', [code]]);
        assert.match(diagnostics[0]?.summary ?? '', /^watching (things|configmaps) in namespace /);
        assert.ok(applied.length > 3);
        assert.deepEqual(await children(), MAPS);
      });

    test(`${target.kind}: watches on which nothing arrives → unsettled, and it is told; everything is written once`, async () => {
      const { front, apply, children } = await stage(target);
      front.setPlan(faultOn(isWatch, { kind: 'silent' }));
      const { status, diagnostics } = await apply({ timeoutMs: 6_000 });
      assert.deepEqual([status, diagnostics.map(({ code }) => code)], ['unsettled', ['not-settled']]);
      assert.deepEqual(await children(), MAPS);
      assert.equal(front.writes.filter((write) => /^POST .*\/configmaps$/.test(write)).length, 3);
    });

    test(`${target.kind}: watches that never work otherwise → unsettled, and it is told`, async () => {
      const { front, apply } = await stage(target);
      front.setPlan(faultOn(isWatch, status(500)));
      const { status: ended, diagnostics } = await apply({ timeoutMs: 7_000 });
      assert.equal(ended, 'unsettled');
      assert.match(diagnostics[0]?.summary ?? '', /^watching .* does not|^watching .* refused with 500/);
    });
  });
});

test('a certificate for another name → connection-failed, for plan and apply', async () => {
  const authority = createAuthority('tests');
  const server = createServer(
    authority.issue('other', ['other.example.com']),
    (_, response) => void response.end('{}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const project = await ProjectDirectory.create({ group: 'tls.example.com', namespace: 'default', hook: HOOK });
  after(() => project.remove());
  const kubeconfig = join(project.path, 'kubeconfig');
  const authorityLine = `certificate-authority-data: ${Buffer.from(authority.cert).toString('base64')}`;
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(kubeconfig, kubeconfigFor(url).replace('    server:', `    ${authorityLine}\n    server:`));
  const { plan, apply } = useCases({ cluster: { kubeconfig }, paths: [project.path] });
  for (const { diagnostics } of [await plan(), await apply()]) {
    assert.deepEqual(codesOf(diagnostics), ['connection-failed']);
    assert.match(diagnostics[0]?.summary ?? '', /certificate is for another name/);
  }
});
