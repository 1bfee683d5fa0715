// Webhooks whose credentials and authority stand in Secrets and ConfigMaps of the cluster, through plan and apply.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { KubeObject } from '../model/object.ts';
import { createAuthority } from '../testing/certificates.ts';
import { faultyFront } from '../testing/faulty-front.ts';
import { type Received, serveHook } from '../testing/hook-server.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { useCases } from '../testing/use-cases.ts';

const authority = createAuthority('hooks');
const FIRST = 'the-first-token-of-all';
const SECOND = 'the-second-token-of-all';
const encode = (text: string): string => Buffer.from(text).toString('base64');

let counter = 0;

async function stage(t: TestContext, target: TestTarget) {
  const namespace = await target.namespace();
  const group = `webhook-secrets-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, hook: '' });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await faultyFront(target.transport, kubeconfig);
  after(async () => {
    await front.close();
    await project.remove();
  });
  const state = { accepted: FIRST, onCall: async (_: number): Promise<void> => undefined };
  const answers: number[] = [];
  const served = await serveHook(
    t,
    ({ headers, body }: Received) => {
      const good = headers.authorization === `Bearer ${state.accepted}`;
      answers.push(good ? 200 : 401);
      if (!good) return { status: 401, body: `no: ${headers.authorization}` };
      const { children } = JSON.parse(body) as { children: Record<string, object> };
      return {
        body: JSON.stringify({ status: { maps: Object.keys(children['ConfigMap.v1'] ?? {}).length }, children: [MAP] }),
      };
    },
    authority.issue('hook', ['127.0.0.1']),
  );
  await project.write('controller.json', definition({ group, namespace, url: served.url }));
  const write = async (method: 'POST' | 'PUT' | 'DELETE', object: KubeObject): Promise<void> => {
    const resource = object.kind === 'Secret' ? 'secrets' : 'configmaps';
    const name = method === 'POST' ? '' : `/${object.metadata.name}`;
    const path = `/api/v1/namespaces/${namespace}/${resource}${name}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await target.transport.request({ method, path, headers, body: JSON.stringify(object) });
    const text = await answer.text();
    assert.ok(answer.status < 300, text);
  };
  const secret = (data: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'hook-token' },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value)])),
  });
  const ca: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'hook-ca' },
    data: { 'ca.crt': authority.cert },
  };
  const cases = useCases({ cluster: { kubeconfig }, paths: [project.path], namespace, allowEmpty: true });
  return { ...cases, front, project, state, answers, served, namespace, write, secret, ca };
}

const MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'map', labels: { app: 'thing' } },
  data: { a: '1' },
};

function definition({ group, namespace, url }: { group: string; namespace: string; url: string }): object {
  const webhook = {
    url,
    caBundle: { configMapRef: { name: 'hook-ca', namespace } },
    authorization: { secretRef: { name: 'hook-token', namespace, key: 'token' } },
  };
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'things' },
    spec: {
      parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync: { webhook } },
    },
  };
}

forEachTarget('webhooks with Secrets', (target) => {
  test('the Secret and the ConfigMap are read by name, and a Secret that changes in the middle of a run counts', async (t) => {
    const { plan, apply, front, state, answers, served, write, secret, ca } = await stage(t, target);
    await write('POST', secret({ token: FIRST }));
    await write('POST', ca);
    const planned = await plan();
    assert.deepEqual(planned.diagnostics, []);
    // After the first call of the run that applies: another token, here and there.
    let changed: Promise<void> | undefined;
    served.server.on('request', () => {
      if (changed || answers.length < 2) return;
      state.accepted = SECOND;
      changed = write('PUT', secret({ token: SECOND }));
    });
    const applied = await apply();
    await changed;
    assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
    assert.ok(answers.includes(401) && answers.at(-1) === 200, answers.join());
    const reads = front.log.filter((line) => /\/(secrets|configmaps\/hook-ca)/.test(line) && line.startsWith('GET'));
    assert.ok(
      reads.length > 0 && reads.every((line) => /\/(secrets\/hook-token|configmaps\/hook-ca)\b/.test(line)),
      reads.join(),
    );
    // The plan carries the Secrets of the run for those who mask with them; nowhere else is anything of them.
    const said = JSON.stringify([planned, applied], (key, value) => (key === 'secrets' ? undefined : value));
    for (const value of [FIRST, SECOND, encode(FIRST).slice(0, 20)]) assert.ok(!said.includes(value), value);
  });

  test('a Secret that is missing, and one that lacks the key: one error each, nothing written, and recovery', async (t) => {
    const { plan, apply, front, write, secret, ca, answers } = await stage(t, target);
    const refused = async (what: RegExp): Promise<void> => {
      const before = front.writes.length;
      for (const outcome of [await plan(), await apply()]) {
        assert.deepEqual(
          outcome.diagnostics.map(({ code }) => code),
          ['hook-failed'],
          JSON.stringify(outcome.diagnostics),
        );
        assert.match(outcome.diagnostics[0]?.summary ?? '', what);
      }
      assert.deepEqual([front.writes.length - before, answers.length], [0, 0]);
    };
    await write('POST', ca);
    await refused(/webhook\.authorization: the Secret test-\w+\/hook-token does not exist/);
    await write('POST', secret({ tocken: FIRST }));
    await refused(/the Secret test-\w+\/hook-token has no key "token"/);
    await write('PUT', secret({ token: '' }));
    await refused(/the key "token" of the Secret test-\w+\/hook-token is empty/);
    await write('PUT', secret({ token: FIRST }));
    const applied = await apply();
    assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
  });

  test('while a run waits, the Secret that was wrong is put right: it goes on', async (t) => {
    const { apply, project, write, secret, ca, answers, state } = await stage(t, target);
    await write('POST', ca);
    await write('POST', secret({ token: FIRST }));
    assert.equal((await apply()).status, 'settled');
    // From here on the hook wants another token; the run sees failures until the Secret has it.
    await project.parent({ changed: true });
    const before = answers.length;
    let put: Promise<void> | undefined;
    const applied = await apply({
      onProgress: (event) => {
        if (event.kind === 'change.end') state.accepted = SECOND;
        if (answers.slice(before).includes(401)) put ??= write('PUT', secret({ token: SECOND }));
      },
    });
    await put;
    assert.equal(applied.status, 'settled', JSON.stringify(applied.diagnostics));
    assert.ok(answers.slice(before).includes(401));
  });
});
