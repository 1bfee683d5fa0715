// Loops end: what does not stay when it is written is written ever more rarely, it is told which field goes from what to
// what, and apply ends unsettled. On both servers.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type FaultyFront, faultyFront } from '../testing/faulty-front.ts';
import { ProjectDirectory, type ProjectOptions } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

let counter = 0;

interface Stage extends UseCases {
  readonly front: FaultyFront;
  readonly project: ProjectDirectory;
}

async function stage(
  target: TestTarget,
  options: Pick<ProjectOptions, 'hook'> & Partial<ProjectOptions>,
): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `not-stable-${++counter}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({ group, namespace, ...options });
  const kubeconfig = join(project.path, 'kubeconfig');
  const front = await faultyFront(target.transport, kubeconfig);
  after(async () => {
    await front.close();
    await project.remove();
  });
  return { front, project, ...useCases({ cluster: { kubeconfig }, paths: [project.path], namespace }) };
}

const map = (fields: string): string =>
  `{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', labels: { app: 'thing' } }, ${fields} }`;

const COUNT = 'globalThis.calls = (globalThis.calls ?? 0) + 1;';

const endless: readonly {
  readonly name: string;
  readonly hook: string;
  readonly says: RegExp;
  readonly only?: TestTarget['kind'];
  readonly more?: Partial<ProjectOptions>;
}[] = [
  {
    name: 'the server drops a field that it does not know',
    hook: `return { children: [${map("dta: { k: 'v' }")}] };`,
    says: /ConfigMap .*\/m: dta goes from nothing to \{"k":"v"\}, written before, and back again/,
  },
  {
    name: 'the server writes a value in another way',
    hook: `return { children: [{ apiVersion: 'v1', kind: 'ResourceQuota',
      metadata: { name: 'q', labels: { app: 'thing' } }, spec: { hard: { cpu: '1000m' } } }] };`,
    more: { childResources: ['resourcequotas'] },
    says: /ResourceQuota .*\/q: spec\.hard\.cpu goes from "1" to "1000m", written before/,
    only: 'real',
  },
  {
    name: 'a list whose items the server completes, and whose key nobody can guess',
    hook: `const volume = { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } };
      const spec = { containers: [{ name: 'c', image: 'c' }], volumes: [volume] };
      const template = { metadata: { labels: { app: 'rc' } }, spec };
      return { children: [{ apiVersion: 'v1', kind: 'ReplicationController',
        metadata: { name: 'rc', labels: { app: 'thing' } }, spec: { replicas: 0, selector: { app: 'rc' }, template } }] };`,
    more: { childResources: ['replicationcontrollers'] },
    says: /ReplicationController .*\/rc: spec\.template\.spec\.volumes\[name=v\]\.projected\.sources/,
    only: 'real',
  },
  {
    name: 'a hook that alternates',
    hook: `${COUNT} return { children: [${map("data: { side: globalThis.calls % 2 ? 'left' : 'right' }")}] };`,
    says: /ConfigMap .*\/m: data\.side goes from "(left|right)" to "(left|right)", and the other way round/,
  },
  {
    name: 'a hook that returns a child every other time',
    hook: `${COUNT} return { children: globalThis.calls % 2 ? [${map('data: {}')}] : [] };`,
    says: /ConfigMap .*\/m: is (created|deleted), and the other way round/,
  },
  {
    name: 'a hook that puts the time into the status',
    hook: 'return { status: { at: performance.now() }, children: [] };',
    says: /Thing .*\/one: status\.at goes from [\d.]+ to [\d.]+, another value each time/,
  },
  {
    name: 'a child that is replaced for ever',
    hook: `return { children: [${map("dta: { k: 'v' }")}] };`,
    more: { method: 'Recreate' },
    says: /ConfigMap .*\/m: /,
  },
];

forEachTarget('what does not stay', (target) => {
  // Each waits until its time is up.
  describe('ends', { concurrency: 8 }, () => {
    for (const { name, hook, says, only, more } of endless) {
      if (only !== undefined && only !== target.kind) continue;
      test(`${target.kind}: ${name}`, async () => {
        const { front, plan, apply } = await stage(target, { hook, ...more });
        const timeoutMs = 12_000;
        const { status, diagnostics } = await apply({ timeoutMs, allowEmpty: true });
        const told = diagnostics.filter(({ code }) => code === 'not-stable');
        assert.equal(status, 'unsettled', JSON.stringify(diagnostics));
        assert.match(told[0]?.summary ?? '', says);
        assert.equal(told.length, 1);
        assert.ok((told[0]?.hint ?? '') !== '');
        // The CRD and the parent are the first two.
        assert.ok(front.writes.length <= 2 + 10, front.writes.join('\n'));
        assert.ok((await plan()).plan, 'it can still be planned');
      });
    }
  });

  test(`${target.kind}: a hook that settles after changing its mind is not held up`, async () => {
    const hook = `${COUNT} const n = Math.min(globalThis.calls, 8);
      return { status: { n }, children: [${map('data: { n: String(n) }')}] };`;
    const { apply, front } = await stage(target, { hook });
    const { status, diagnostics } = await apply({ timeoutMs: 30_000 });
    assert.deepEqual([status, diagnostics.filter(({ code }) => code === 'not-stable')], ['settled', []]);
    assert.ok(front.writes.length >= 10);
  });
});
