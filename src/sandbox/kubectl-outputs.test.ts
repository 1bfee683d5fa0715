// What kubectl prints of the same objects on both servers, word for word: tables, descriptions, YAML, documentation. Both
// are without controllers, so that nothing but kubectl's own requests changes anything. Made equal before: uids, times and
// ages, resourceVersions, addresses and ports that were assigned.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Kubectl } from '../testing/kubectl.ts';
import { quietServer } from '../testing/quiet-server.ts';
import { realClock } from '../testing/real-clock.ts';
import { findRealServer } from '../testing/real-server.ts';
import { until } from '../testing/until.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from './index.ts';

const server = findRealServer(process.env);
const skip = server.available ? false : server.reason;
const OBJECTS = join(import.meta.dirname, '../../testdata/sandbox/kubectl-objects.yaml');

/** Namespaced and cluster-scoped kinds of which the file has objects; each is got, got wide, and described. */
const KINDS = [
  ...['configmaps', 'secrets', 'services', 'pods', 'deployments', 'replicasets', 'statefulsets', 'daemonsets', 'jobs'],
  ...['cronjobs', 'persistentvolumeclaims', 'ingresses', 'networkpolicies', 'roles', 'rolebindings'],
  ...['serviceaccounts', 'horizontalpodautoscalers', 'poddisruptionbudgets', 'resourcequotas', 'limitranges'],
  ...['endpointslices', 'leases', 'cats.outputs.example.com', 'podtemplates', 'replicationcontrollers'],
  ...['persistentvolumes', 'storageclasses', 'priorityclasses', 'ingressclasses', 'nodes', 'customresourcedefinitions'],
];

const COMMANDS = [
  ...KINDS.flatMap((kind) => [
    `get ${kind} -l outputs=yes`,
    `get ${kind} -l outputs=yes -o wide --show-labels`,
    `get ${kind} -l outputs=yes -o yaml`,
    `describe ${kind} -l outputs=yes`,
    `explain ${kind}`,
  ]),
  'get all -l outputs=yes',
  'get deployments,services -l outputs=yes -o name',
  'get deployment web -o jsonpath={.spec.template.spec.containers[*].image}',
  'get pods -l outputs=yes -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName',
  'get pods -l outputs=yes --sort-by=.metadata.name -o name',
  'get pods --field-selector=status.phase=Pending -o name',
  'explain deployment.spec.template.spec.containers.livenessProbe --recursive',
  'explain cat.spec',
  'explain cat --recursive',
  'api-resources --namespaced=true --api-group=apps',
  'api-resources --api-group=outputs.example.com',
  'auth can-i create cats.outputs.example.com',
  'auth can-i delete pods --subresource=log',
  'get nothing-like-this',
  'get pod nobody',
  'describe pod nobody',
  'delete pod nobody',
  'label pod plain outputs=again',
  'annotate pod plain note=yes --overwrite',
  'scale deployment none --replicas=1',
  'rollout status deployment/none',
  'set image deployment/web nobody=x:1',
  'patch configmap settings -p {"data":1}',
  'patch configmap settings --type=json -p [{"op":"remove","path":"/data/none"}]',
  'diff -f {file}',
  'diff --server-side --force-conflicts -f {file}',
  'apply --dry-run=server -f {file}',
  'delete -f {file} --dry-run=server',
];

/** Where the sandbox prints something else, and why. */
const KNOWN: Readonly<Record<string, string>> = {};

const places: Kubectl[] = [];
const directory = mkdtempSync(join(tmpdir(), 'kubectl-outputs-'));
const ends: (() => Promise<void>)[] = [];

before(async () => {
  if (!server.available) return;
  const sandbox = createSandbox({ clock: realClock, workloads: false });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  ends.push(served.close, sandbox.close);
  const kubeconfig = join(directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(served.url));
  for (const [name, file] of Object.entries({ sandbox: kubeconfig, real: await quietServer(server.kubeconfig) })) {
    const kubectl = new Kubectl({ kubeconfig: file, directory: join(directory, name), namespace: 'outputs' });
    places.push(kubectl);
    await kubectl.ok('create namespace outputs');
    const [crds = '', ...objects] = readFileSync(OBJECTS, 'utf8').split('# after the definitions\n');
    await kubectl.ok('create -f -', crds);
    await kubectl.ok('wait --for=condition=Established crd/cats.outputs.example.com --timeout=30s');
    await until('the new kinds are in OpenAPI', async () => (await kubectl.run('explain cat.spec')).code === 0);
    await kubectl.ok('create -f -', objects.join(''));
  }
});

after(async () => {
  for (const end of ends) await end();
  rmSync(directory, { recursive: true, force: true });
});

function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\b10\.0\.\d+\.\d+\b/g, '<ip>')
    .replaceAll(/\b3[0-2]\d{3}\b/g, '<port>')
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\b/g, '<time>')
    .replaceAll(/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC/g, '<date>')
    .replaceAll(/\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, '<date>')
    .replaceAll(/\b\d+(m|m?\d*s)(?=\s)/g, '<age>')
    .replaceAll(/((?:resourceVersion|Resource Version): *)"?\d+"?/g, '$1<rv>')
    .replaceAll(/LIVE-\d+|MERGED-\d+/g, '<file>')
    .replaceAll(/[ \t]+/g, ' ');
}

for (const command of COMMANDS) {
  const reason = KNOWN[command];
  test(`kubectl ${command}${reason ? ` (differs: ${reason})` : ''}`, { skip, timeout: 120_000 }, async () => {
    const outcomes = [];
    for (const place of places) {
      const { code, stdout, stderr } = await place.run(command.replace('{file}', OBJECTS));
      outcomes.push({ code, stdout: comparable(stdout), stderr: comparable(stderr) });
    }
    if (reason === undefined) assert.deepEqual(outcomes[0], outcomes[1]);
    else assert.notDeepEqual(outcomes[0], outcomes[1], 'no longer differs: take it off the list');
  });
}
