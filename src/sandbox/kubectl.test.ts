// The real kubectl against the sandbox over HTTP, on a directory: what a person types first. Each test begins with an
// empty sandbox and an empty discovery cache of kubectl's own.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findKubectl, Kubectl } from '../testing/kubectl.ts';
import { realClock } from '../testing/real-clock.ts';
import { openSandboxDirectory } from './index.ts';
import { kubeconfigFor, serveSandbox } from './serve/index.ts';

const skip = findKubectl() === undefined ? 'needs kubectl (`npm run kube:build` builds it)' : false;

class Bed extends Kubectl {
  readonly #directory: string;
  #stop: (() => Promise<void>) | undefined;

  constructor(directory: string) {
    super({ kubeconfig: join(directory, 'kubeconfig'), directory });
    this.#directory = directory;
  }

  /** Also after stop(): the same sandbox again, from its directory. */
  async start(): Promise<void> {
    const sandbox = await openSandboxDirectory(join(this.#directory, 'sandbox'), { clock: realClock, seed: 1 });
    const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
    writeFileSync(join(this.#directory, 'kubeconfig'), kubeconfigFor(served.url));
    this.#stop = async () => {
      await served.close();
      await sandbox.close();
    };
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    this.#stop = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function bed(t: TestContext): Promise<Bed> {
  const made = new Bed(mkdtempSync(join(tmpdir(), 'kubectl-')));
  t.after(() => made.end());
  await made.start();
  return made;
}

const CONFIG_MAP = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {color: blue}
`;
const POD = `
apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec: {containers: [{name: web, image: "web:1"}]}
`;
const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`;
const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cats.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: cats, singular: cat, kind: Cat, shortNames: [ct]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string}, lives: {type: integer}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;
const CAT = `
apiVersion: example.com/v1
kind: Cat
metadata: {name: tom}
spec: {color: grey}
`;

const CREATE = 'create -f -';

test('kubectl and a ConfigMap: create, get, describe, label, annotate, patch, delete', { skip }, async (t) => {
  const { ok, run } = bound(await bed(t));
  assert.equal(await ok(CREATE, CONFIG_MAP), 'configmap/settings created\n');
  assert.match(await ok('get configmap settings'), /^NAME +DATA +AGE\nsettings +1 +\S+\n$/);
  assert.equal(await ok('get cm -l app=web -o name'), 'configmap/settings\n');
  assert.match(await ok('get cm settings -o yaml'), /^apiVersion: v1\ndata:\n {2}color: blue\nkind: ConfigMap\n/);
  const described = await ok('describe configmap settings');
  assert.match(described, /^Name: +settings\nNamespace: +default\nLabels: +app=web\n/);
  assert.match(described, /color:\n----\nblue\n/);
  assert.equal(await ok('label cm settings tier=front'), 'configmap/settings labeled\n');
  assert.equal((await run('label cm settings tier=back')).code, 1, 'kubectl refuses without --overwrite');
  assert.equal(await ok('label cm settings tier-'), 'configmap/settings unlabeled\n');
  assert.equal(await ok('annotate cm settings acme.io/note=hello'), 'configmap/settings annotated\n');
  assert.equal(await ok('get cm settings -o jsonpath={.metadata.annotations}'), '{"acme.io/note":"hello"}');
  assert.equal(await ok('patch cm settings --type=merge -p {"data":{"color":"red"}}'), 'configmap/settings patched\n');
  assert.equal(await ok('get cm settings -o jsonpath={.data.color}'), 'red');
  assert.equal(await ok('delete cm settings'), 'configmap "settings" deleted from default namespace\n');
  const gone = await run('get cm settings');
  assert.deepEqual([gone.code, gone.stderr], [1, 'Error from server (NotFound): configmaps "settings" not found\n']);
});

test('kubectl and a Pod: wait until it is Ready, get, describe, delete and wait until it is gone', {
  skip,
}, async (t) => {
  const { ok } = bound(await bed(t));
  await ok(CREATE, POD);
  assert.equal(await ok('wait --for=condition=Ready pod/web-0 --timeout=30s'), 'pod/web-0 condition met\n');
  assert.match(await ok('get pod web-0'), /^NAME +READY +STATUS +RESTARTS +AGE\nweb-0 +1\/1 +Running +0 +\S+\n$/);
  const described = await ok('describe pod web-0');
  assert.match(described, /\nStatus: +Running\n/);
  assert.match(described, /\nIP: +10\.244\.0\.1\n/);
  const waiting = ok('wait --for=delete pod/web-0 --timeout=30s');
  assert.match(await ok('delete pod web-0'), /^pod "web-0" deleted/);
  await waiting;
});

test('kubectl and a custom resource: define, create, get, describe, label, annotate, wait, delete', {
  skip,
}, async (t) => {
  const { ok, run } = bound(await bed(t));
  await ok(CREATE, CRD);
  assert.match(await ok('wait --for=condition=Established crd/cats.example.com --timeout=30s'), /condition met\n$/);
  assert.equal(await ok(CREATE, CAT), 'cat.example.com/tom created\n');
  assert.match(await ok('get cats'), /^NAME +COLOR\ntom +grey\n$/);
  assert.match(await ok('get ct tom -o yaml'), /\nspec:\n {2}color: grey\n/);
  assert.match(await ok('describe cat tom'), /^Name: +tom\n(.*\n)+Kind: +Cat\n(.*\n)+Spec:\n {2}Color: +grey\n/);
  assert.equal(await ok('label cat tom house=yes'), 'cat.example.com/tom labeled\n');
  assert.equal(await ok('annotate cat tom acme.io/note=hello'), 'cat.example.com/tom annotated\n');
  const waiting = ok('wait --for=jsonpath={.status.mood}=happy cat/tom --timeout=30s');
  await ok('patch cat tom --subresource=status --type=merge -p {"status":{"mood":"happy"}}');
  assert.equal(await waiting, 'cat.example.com/tom condition met\n');
  assert.match(await ok('delete cat tom'), /^cat.example.com "tom" deleted/);
  assert.match(await ok('delete crd cats.example.com'), /deleted/);
  // kubectl still has the kind in its cache of discovery.
  const { code, stderr } = await run('get cats');
  assert.equal(code, 1);
  assert.match(stderr, /\(NotFound\).* the server could not find the requested resource \(get cats\.example\.com\)\n$/);
});

test('kubectl and a Deployment: rollout status, scale, delete with what it owns', {
  skip,
}, async (t) => {
  const { ok } = bound(await bed(t));
  await ok(CREATE, DEPLOYMENT);
  assert.match(await ok('rollout status deployment/web --timeout=30s'), /successfully rolled out\n$/);
  assert.match(await ok('get deployment web'), /\nweb +2\/2 +2 +2 +\S+\n$/);
  assert.equal(await ok('scale deployment web --replicas=3'), 'deployment.apps/web scaled\n');
  await ok('wait --for=jsonpath={.status.readyReplicas}=3 deployment/web --timeout=30s');
  await ok('delete deployment web --cascade=foreground --timeout=30s');
  assert.equal(await ok('get pods,replicasets -o name'), '');
});

test('what kubectl wrote is there when the sandbox is served again from its directory', { skip }, async (t) => {
  const made = await bed(t);
  const { ok } = bound(made);
  await ok(CREATE, CRD);
  await ok(CREATE, CAT);
  await ok(CREATE, POD);
  await ok('wait --for=condition=Ready pod/web-0 --timeout=30s');
  const before = await ok('get cats,pods,crds,namespaces -o json');
  await made.stop();
  await made.start();
  assert.equal(await ok('get cats,pods,crds,namespaces -o json'), before);
  assert.equal(await ok('label cat tom again=yes'), 'cat.example.com/tom labeled\n');
});

function bound(made: Bed): Pick<Bed, 'ok' | 'run'> {
  return { ok: (words, input) => made.ok(words, input), run: (words, input) => made.run(words, input) };
}
