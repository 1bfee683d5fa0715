// What stands in deploy/: the chart as Helm renders it and the base as kubectl renders it say what `metactl install` says, and
// both servers take it (a dry run of the server: schema, defaults, validation, admission).

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { createClient } from '../../src/cluster/index.ts';
import { manifestsOf } from '../../src/install/index.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { findHelm, lintChart, renderChart } from '../../src/testing/helm.ts';
import { findKubectl, Kubectl } from '../../src/testing/kubectl.ts';
import { forEachTarget, type TestTarget } from '../../src/testing/targets.ts';

const ROOT = join(import.meta.dirname, '../..');
const noHelm = findHelm() === undefined ? 'needs Helm (`npm run kube:build` builds it)' : false;
const noKubectl = findKubectl() === undefined ? 'needs kubectl (`npm run kube:build` builds it)' : false;
let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'metactl-deploy-'));
});
after(() => rm(directory, { recursive: true, force: true }));

const parse = (text: string): KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);

async function chart(values: object = {}, namespace = 'metactl'): Promise<KubeObject[]> {
  const { code, stdout, stderr } = await renderChart(values, { namespace, directory });
  assert.equal(code, 0, stderr);
  return parse(stdout);
}

/** An overlay of the base, as people make one. */
async function base(namespace: string): Promise<KubeObject[]> {
  const resources = [relative(directory, join(ROOT, 'deploy/kustomize'))];
  const overlay = {
    namespace,
    resources,
    images: [{ name: 'metactl', newName: 'registry.example.com/metactl', newTag: '1' }],
  };
  await writeFile(join(directory, 'kustomization.yaml'), JSON.stringify(overlay));
  const kubectl = new Kubectl({ kubeconfig: join(directory, 'none'), directory });
  return parse(await kubectl.ok(`kustomize ${directory}`));
}

const find = (objects: readonly KubeObject[], kind: string): KubeObject | undefined =>
  objects.find((one) => one.kind === kind);
const specOf = (objects: readonly KubeObject[], kind: string): unknown => find(objects, kind)?.['spec'];

describe('the chart', { skip: noHelm }, () => {
  test('passes its linter, and has the version of the program', async () => {
    const { code, stdout } = await lintChart();
    assert.equal(code, 0, stdout);
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const [about] = parse(await readFile(join(ROOT, 'deploy/helm/metactl/Chart.yaml'), 'utf8'));
    assert.deepEqual([about?.['version'], about?.['appVersion']], [version, version]);
  });

  test('by its defaults installs what `metactl install` installs', async () => {
    const rendered = await chart({ replicas: 2 });
    const [about] = parse(await readFile(join(ROOT, 'deploy/helm/metactl/Chart.yaml'), 'utf8'));
    const place = { name: 'metactl', namespace: 'metactl', image: `metactl:${about?.['appVersion']}` };
    const wanted = manifestsOf({ ...place, replicas: 2, arguments: [], rights: 'everything' });
    const plain = (objects: readonly KubeObject[]) =>
      objects
        .map(({ metadata: { labels: _differ, ...metadata }, ...object }) => ({ ...object, metadata }))
        .sort((a, b) => (String(a['kind']) < String(b['kind']) ? -1 : 1));
    const text = JSON.stringify(plain(rendered)).replaceAll('"imagePullPolicy":"IfNotPresent",', '');
    const ours = wanted.filter(({ kind }) => kind !== 'Namespace'); // helm install --create-namespace makes it
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(plain(ours))));
  });

  type Case = readonly [why: string, values: object, look: (objects: readonly KubeObject[]) => unknown, want: unknown];
  const pod = (objects: readonly KubeObject[]) =>
    (
      specOf(objects, 'Deployment') as {
        template: { spec: Record<string, unknown>; metadata: Record<string, unknown> };
      }
    ).template;
  const container = (objects: readonly KubeObject[]) =>
    (pod(objects).spec['containers'] as Record<string, unknown>[])[0] ?? {};
  const inPod = (key: string) => (objects: readonly KubeObject[]) => pod(objects).spec[key];
  const inContainer = (key: string) => (objects: readonly KubeObject[]) => container(objects)[key];
  const tolerations = [{ key: 'a', operator: 'Exists' }];
  const affinity = { nodeAffinity: {} };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const ports = [{ name: 'metrics', port: 9999, targetPort: 'metrics' }];
  const selectors = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const CASES: readonly Case[] = [
    ['a command of one word', { command: '/usr/bin/metactl' }, inContainer('command'), ['/usr/bin/metactl']],
    ['a command of several', { command: ['node', 'run.js'] }, inContainer('command'), ['node', 'run.js']],
    ['arguments of the daemon', { commandArgs: ['--workers=9'] }, inContainer('args'), ['daemon', '--workers=9']],
    ['no arguments at all', { commandArgs: [] }, inContainer('args'), ['daemon']],
    ['an image', { image: { repository: 'r/m', tag: '2', pullPolicy: 'Always' } }, inContainer('image'), 'r/m:2'],
    ['its pull policy', { image: { pullPolicy: 'Never' } }, inContainer('imagePullPolicy'), 'Never'],
    ['pull secrets', { imagePullSecrets: [{ name: 's' }] }, inPod('imagePullSecrets'), [{ name: 's' }]],
    ['variables', { env: [{ name: 'A', value: 'b' }] }, inContainer('env'), [{ name: 'A', value: 'b' }]],
    ['no roles', { rbac: { create: false } }, (objects) => objects.filter(({ kind }) => /Role/.test(kind)), []],
    ['another name', { fullnameOverride: 'other' }, (objects) => find(objects, 'Deployment')?.metadata.name, 'other'],
    ['a name of its own', { nameOverride: 'x' }, (objects) => find(objects, 'Deployment')?.metadata.name, 'metactl-x'],
    [
      'another namespace',
      { namespaceOverride: 'n' },
      (objects) => find(objects, 'ServiceAccount')?.metadata.namespace,
      'n',
    ],
    ['an account that is there', { serviceAccount: { create: false, name: 'a' } }, inPod('serviceAccountName'), 'a'],
    ['the default account', { serviceAccount: { create: false } }, inPod('serviceAccountName'), 'default'],
    [
      'annotations of the account',
      { serviceAccount: { annotations: { a: 'b' } } },
      (objects) => find(objects, 'ServiceAccount')?.metadata.annotations,
      { a: 'b' },
    ],
    [
      'annotations of pods',
      { podAnnotations: { a: 'b' } },
      (objects) => pod(objects).metadata['annotations'],
      { a: 'b' },
    ],
    [
      'security of pods',
      { podSecurityContext: { runAsUser: 7 } },
      (objects) => JSON.stringify(inPod('securityContext')(objects)).includes('"runAsUser":7'),
      true,
    ],
    [
      'security of containers',
      { securityContext: { privileged: false } },
      (objects) => JSON.stringify(container(objects)['securityContext']).includes('"privileged":false'),
      true,
    ],
    [
      'resources',
      { resources: { limits: { memory: '1Gi' } } },
      (objects) => JSON.stringify(container(objects)['resources']).includes('1Gi'),
      true,
    ],
    ['nodes', { nodeSelector: { a: 'b' } }, inPod('nodeSelector'), { a: 'b' }],
    ['tolerations', { tolerations }, inPod('tolerations'), tolerations],
    ['affinity', { affinity }, inPod('affinity'), affinity],
    ['a priority', { priorityClassName: 'p' }, inPod('priorityClassName'), 'p'],
    ['rules', { clusterRole: { rules } }, (objects) => find(objects, 'ClusterRole')?.['rules'], rules],
    [
      'an aggregated role',
      { clusterRole: { aggregationRule: selectors } },
      (objects) => find(objects, 'ClusterRole')?.['rules'],
      [],
    ],
    [
      'roles of a namespace',
      { roles: [{ namespace: 'n', rules }] },
      (objects) => find(objects, 'Role')?.['rules'],
      rules,
    ],
    ['no budget for one', {}, (objects) => find(objects, 'PodDisruptionBudget'), undefined],
    [
      'a budget',
      { podDisruptionBudget: { minAvailable: 1 } },
      (objects) => (specOf(objects, 'PodDisruptionBudget') as Record<string, unknown>)['minAvailable'],
      1,
    ],
    ['no service', {}, (objects) => find(objects, 'Service'), undefined],
    [
      'a service',
      { service: { enabled: true, ports } },
      (objects) => (specOf(objects, 'Service') as Record<string, unknown>)['ports'],
      ports,
    ],
  ];
  test('does as its values say', async () => {
    for (const [why, values, look, want] of CASES) assert.deepEqual(look(await chart(values)), want, why);
  });

  test('every value is described by the schema, and what it does not know is refused', async () => {
    const [values] = parse(await readFile(join(ROOT, 'deploy/helm/metactl/values.yaml'), 'utf8'));
    const schema = JSON.parse(await readFile(join(ROOT, 'deploy/helm/metactl/values.schema.json'), 'utf8')) as {
      properties: object;
    };
    assert.deepEqual(Object.keys(schema.properties).sort(), ['global', ...Object.keys(values ?? {})].sort());
    const wrong = [
      { replica: 2 },
      { replicas: '2' },
      { image: { pullPolicy: 'Sometimes' } },
      { commandArgs: '--workers=9' },
    ];
    for (const given of [...wrong, { service: { ports: {} } }, { clusterRole: { rules: [{ apiGroups: [''] }] } }]) {
      const { code, stderr } = await renderChart(given, { namespace: 'metactl', directory });
      assert.notEqual(code, 0, JSON.stringify(given));
      assert.match(stderr, /values don't meet the specifications/);
    }
  });
});

describe('the kustomize base', { skip: noKubectl }, () => {
  test('renders, and an overlay puts it elsewhere', async () => {
    const rendered = await base('elsewhere');
    assert.equal(find(rendered, 'Deployment')?.metadata.namespace, 'elsewhere');
    assert.match(JSON.stringify(specOf(rendered, 'Deployment')), /"image":"registry.example.com\/metactl:1"/);
    assert.equal(rendered.filter(({ kind }) => kind === 'CustomResourceDefinition').length, 4);
    assert.match(JSON.stringify(find(rendered, 'ClusterRoleBinding')), /"namespace":"elsewhere"/);
  });
});

forEachTarget('rendered manifests are valid', (target) => {
  test('of the chart, with everything switched on', { skip: noHelm }, async () => {
    const namespace = await target.namespace();
    const everything = {
      ...{ replicas: 2, env: [{ name: 'A', value: 'b' }], priorityClassName: 'system-cluster-critical' },
      roles: [{ namespace, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
      service: { enabled: true, ports: [{ name: 'metrics', port: 9999, targetPort: 'metrics' }] },
      podAnnotations: { a: 'b' },
      tolerations: [{ key: 'a', operator: 'Exists' }],
    };
    const rendered = await chart(everything, namespace);
    assert.equal(rendered.length, 8);
    await accepted(target, rendered);
  });

  test('of the base, with its CRDs', { skip: noKubectl }, async () =>
    accepted(target, await base(await target.namespace())),
  );
});

/** By a dry run of each: server-side apply refuses fields that are not known. */
async function accepted(target: TestTarget, objects: readonly KubeObject[]): Promise<void> {
  const client = createClient(target.transport);
  for (const object of objects) {
    const type = await client.byKind(object.apiVersion, object.kind);
    assert.ok(type, `${object.kind} is served`);
    const { name = '', namespace } = object.metadata;
    await client.predict({
      ...{ verb: 'patch', type, name, fieldManager: 'test', force: true },
      ...(namespace === undefined ? {} : { namespace }),
      contentType: 'application/apply-patch+yaml',
      patch: object,
    });
  }
}
