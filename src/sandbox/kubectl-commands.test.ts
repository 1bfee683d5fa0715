// kubectl, unmodified, on both servers: the commands that people use, one after the other, and what each of them says.
// {ns} stands for the test's namespace, which also makes names of cluster-scoped objects unique.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findKubectl, Kubectl } from '../testing/kubectl.ts';
import { forEachTarget } from '../testing/targets.ts';
import { until } from '../testing/until.ts';

interface Step {
  /** After "kubectl". */
  readonly run: string;
  readonly input?: string;
  /** What stdout says; a text is all of it. */
  readonly says?: string | RegExp;
  /** It fails, and stderr says this. */
  readonly fails?: RegExp;
  /** Exit code where it is neither success nor 1: `diff` has 1 for a difference. */
  readonly code?: number;
  /** Asked again until it succeeds: a new kind comes into the documents of a real server after a second. */
  readonly eventually?: true;
}

const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1", env: [{name: A, value: b}]}
      - {name: side, image: "side:1"}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {color: blue}
`;
const WEB_2 = WEB.replace('web:1', 'web:2').replace('port: 80', 'port: 81').replace('blue', 'red');
const MISSPELT = (WEB.split('---')[0] ?? '').replace('replicas: 2', 'replica: 2');
const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: "cats.{ns}.example.com"}
spec:
  group: "{ns}.example.com"
  scope: Namespaced
  names: {plural: cats, kind: Cat}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            description: What it should be.
            properties:
              color: {type: string, description: Of its fur.}
              lives: {type: integer}
              replicas: {type: integer}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;
const CAT = `
apiVersion: "{ns}.example.com/v1"
kind: Cat
metadata: {name: tom}
spec: {color: blue, lives: 9}
`;

const CREATED: readonly (readonly [words: string, what: string])[] = [
  ['namespace {ns}-2', 'namespace/{ns}-2'],
  ['configmap c --from-literal=a=b', 'configmap/c'],
  ['secret generic s --from-literal=a=b', 'secret/s'],
  ['secret docker-registry d --docker-server=x --docker-username=u --docker-password=p', 'secret/d'],
  ['deployment w --image=nginx --replicas=0 --port=80', 'deployment.apps/w'],
  ['job j --image=busybox -- echo hi', 'job.batch/j'],
  ['cronjob cj --image=busybox --schedule=@yearly -- date', 'cronjob.batch/cj'],
  ['job of-cj --from=cronjob/cj', 'job.batch/of-cj'],
  ['serviceaccount sa', 'serviceaccount/sa'],
  ['role r --verb=get --resource=pods', 'role.rbac.authorization.k8s.io/r'],
  ['rolebinding rb --role=r --serviceaccount={ns}:sa', 'rolebinding.rbac.authorization.k8s.io/rb'],
  ['clusterrole {ns} --verb=get --resource=pods', 'clusterrole.rbac.authorization.k8s.io/{ns}'],
  ['clusterrolebinding {ns} --clusterrole={ns} --user=me', 'clusterrolebinding.rbac.authorization.k8s.io/{ns}'],
  ['ingress i --rule=foo.com/*=w:80', 'ingress.networking.k8s.io/i'],
  ['service clusterip sc --tcp=80:80', 'service/sc'],
  ['service nodeport sn --tcp=80', 'service/sn'],
  ['service loadbalancer sl --tcp=80', 'service/sl'],
  ['service externalname se --external-name=foo.com', 'service/se'],
  ['quota q --hard=secrets=100', 'resourcequota/q'],
  ['poddisruptionbudget p --selector=app=web --min-available=1', 'poddisruptionbudget.policy/p'],
  ['priorityclass {ns} --value=10', 'priorityclass.scheduling.k8s.io/{ns}'],
];

const CREATES: readonly Step[] = [
  ...CREATED.map(([words, what]) => ({ run: `create ${words}`, says: `${what} created\n` })),
  { run: 'run p --image=nginx --restart=Never', says: 'pod/p created\n' },
  { run: 'expose deployment w --port=80', says: 'service/w exposed\n' },
  { run: 'autoscale deployment w --max=3 --cpu=50%', says: 'horizontalpodautoscaler.autoscaling/w autoscaled\n' },
  { run: 'create configmap c', fails: /^error: failed to create configmap: configmaps "c" already exists\n$/ },
  { run: 'create token sa', says: /^[\w-]+\.[\w-]+\.[\w-]+\n?$/ },
  { run: 'auth can-i get pods', says: 'yes\n' },
  {
    run: 'auth can-i --list',
    says: /^Resources +Non-Resource URLs +Resource Names +Verbs\n(.*\n)*\*\.\* +\[\] +\[\] +\[\*\]\n/,
  },
  { run: 'auth whoami', says: /^ATTRIBUTE +VALUE\nUsername +\S+\n/ },
  { run: 'get service sn -o jsonpath={.spec.clusterIP},{.spec.ports[0].nodePort}', says: /^10\.0\.\d+\.\d+,3\d{4}$/ },
  { run: 'delete configmaps,services -l none=such', says: 'No resources found\n' },
  { run: 'delete service --all', says: /^service "sc" deleted from {ns} namespace\n/ },
];

const APPLIES: readonly Step[] = [
  { run: 'apply -f -', input: WEB, says: 'deployment.apps/web created\nservice/web created\nconfigmap/web created\n' },
  {
    run: 'apply -f -',
    input: WEB,
    says: 'deployment.apps/web unchanged\nservice/web unchanged\nconfigmap/web unchanged\n',
  },
  { run: 'diff -f -', input: WEB, says: '' },
  {
    run: 'diff -f -',
    input: WEB_2,
    code: 1,
    says: /\n- +image: web:1\n\+ +image: web:2\n(.*\n)*- {2}color: blue\n\+ {2}color: red\n/,
  },
  {
    run: 'apply -f -',
    input: WEB_2,
    says: 'deployment.apps/web configured\nservice/web configured\nconfigmap/web configured\n',
  },
  { run: 'get deployment web -o jsonpath={.spec.template.spec.containers[*].image}', says: 'web:2 side:1' },
  { run: 'apply --server-side -f -', input: WEB_2, says: /^deployment\.apps\/web serverside-applied\n/ },
  { run: 'diff --server-side -f -', input: WEB_2, says: '' },
  { run: 'apply --server-side -f -', input: WEB, says: /\nconfigmap\/web serverside-applied\n$/ },
  { run: 'edit configmap web', says: 'configmap/web edited\n' },
  { run: 'get configmap web -o jsonpath={.data.color}', says: 'green' },
  { run: 'patch configmap web --type=merge -p {"data":{"color":"grey"}}', says: 'configmap/web patched\n' },
  { run: 'apply --server-side -f -', input: WEB, fails: /conflict with "kubectl-patch" using v1: \.data\.color\n/ },
  { run: 'apply --server-side --force-conflicts -f -', input: WEB, says: /\nconfigmap\/web serverside-applied\n$/ },
  { run: 'replace -f -', input: WEB_2, says: /^deployment\.apps\/web replaced\n/ },
  {
    run: 'delete -f -',
    input: WEB,
    says: /^deployment\.apps "web" deleted from {ns} namespace\nservice "web" deleted/,
  },
];

const WORKLOADS: readonly Step[] = [
  { run: 'create -f -', input: WEB, says: /^deployment\.apps\/web created\n/ },
  { run: 'rollout status deployment/web --timeout=60s', says: /deployment "web" successfully rolled out\n$/ },
  { run: 'set image deployment/web web=web:3', says: 'deployment.apps/web image updated\n' },
  { run: 'set env deployment/web X=y', says: 'deployment.apps/web env updated\n' },
  { run: 'set resources deployment/web --limits=cpu=1', says: 'deployment.apps/web resource requirements updated\n' },
  { run: 'get deployment web -o jsonpath={.spec.template.spec.containers[*].image}', says: 'web:3 side:1' },
  { run: 'rollout status deployment/web --timeout=60s', says: /successfully rolled out\n$/ },
  {
    run: 'rollout history deployment/web',
    says: /^deployment\.apps\/web \nREVISION +CHANGE-CAUSE\n1 +<none>\n(.*\n)*4 +<none>\n/,
  },
  { run: 'rollout undo deployment/web --to-revision=1', says: 'deployment.apps/web rolled back\n' },
  { run: 'get deployment web -o jsonpath={.spec.template.spec.containers[*].image}', says: 'web:1 side:1' },
  { run: 'rollout restart deployment/web', says: 'deployment.apps/web restarted\n' },
  { run: 'rollout pause deployment/web', says: 'deployment.apps/web paused\n' },
  { run: 'rollout resume deployment/web', says: 'deployment.apps/web resumed\n' },
  {
    run: 'patch deployment web -p {"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}',
    says: 'deployment.apps/web patched\n',
  },
  {
    run: 'patch deployment web --type=json -p [{"op":"replace","path":"/spec/nope/x","value":1}]',
    fails: /rejected our request/,
  },
  { run: 'get deployment web -o jsonpath={.spec.template.spec.containers[*].name}', says: 'web' },
  { run: 'label deployment web tier=front', says: 'deployment.apps/web labeled\n' },
  { run: 'annotate deployment web acme.io/note=hello', says: 'deployment.apps/web annotated\n' },
  { run: 'scale deployment web --replicas=3', says: 'deployment.apps/web scaled\n' },
  {
    run: 'wait --for=jsonpath={.status.readyReplicas}=3 deployment/web --timeout=60s',
    says: 'deployment.apps/web condition met\n',
  },
  { run: 'wait --for=condition=Available deployment/web --timeout=60s', says: 'deployment.apps/web condition met\n' },
  { run: 'rollout status deployment web --timeout=60s', says: /successfully rolled out\n$/ },
  {
    run: 'describe deployment web',
    says: /^Name: +web\n(.*\n)*Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable\n/,
  },
  {
    run: 'delete deployment web --cascade=foreground --timeout=60s',
    says: 'deployment.apps "web" deleted from {ns} namespace\n',
  },
];

const EXPLAINS: readonly Step[] = [
  {
    run: 'explain deployment.spec.strategy',
    says: /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: strategy <DeploymentStrategy>\n(.*\n)*FIELDS:\n {2}rollingUpdate\t<RollingUpdateDeployment>\n/,
  },
  { run: 'explain pod --recursive', says: /\n {4}containers\t<\[\]Container> -required-\n/ },
  { run: 'explain pod.spec.nope', fails: /field "nope" does not exist/ },
  {
    run: 'create -f -',
    input: MISSPELT,
    fails: /strict decoding error: unknown field "spec.replica"\n$/,
  },
  {
    run: 'create --validate=warn -f -',
    input: MISSPELT,
    code: 0,
    fails: /^Warning: unknown field "spec.replica"\n$/,
  },
];

const CUSTOM: readonly Step[] = [
  {
    run: 'apply -f -',
    input: CRD,
    says: 'customresourcedefinition.apiextensions.k8s.io/cats.{ns}.example.com created\n',
  },
  { run: 'wait --for=condition=Established crd/cats.{ns}.example.com --timeout=60s', says: /condition met\n$/ },
  {
    run: 'explain cat.spec.color',
    says: /\nFIELD: color <string>\n\n\nDESCRIPTION:\n {4}Of its fur\.\n/,
    eventually: true,
  },
  { run: 'apply -f -', input: CAT, says: 'cat.{ns}.example.com/tom created\n' },
  { run: 'apply -f -', input: CAT, says: 'cat.{ns}.example.com/tom unchanged\n' },
  { run: 'diff -f -', input: CAT.replace('9', '8'), code: 1, says: /\n- {2}lives: 9\n\+ {2}lives: 8\n/ },
  { run: 'apply -f -', input: CAT.replace('9', '8'), says: 'cat.{ns}.example.com/tom configured\n' },
  {
    run: 'apply --server-side -f -',
    input: CAT.replace('9', '8'),
    says: 'cat.{ns}.example.com/tom serverside-applied\n',
  },
  { run: 'diff --server-side -f -', input: CAT.replace('9', '8'), says: '' },
  {
    run: 'diff --server-side -f -',
    input: CAT.replace('9', '7'),
    code: 1,
    says: /\n- {2}lives: 8\n\+ {2}lives: 7\n/,
  },
  { run: 'auth can-i patch cats.{ns}.example.com', says: 'yes\n' },
  { run: 'edit cat tom', says: 'cat.{ns}.example.com/tom edited\n' },
  { run: 'get cat tom -o jsonpath={.spec}', says: '{"color":"green","lives":8}' },
  { run: 'patch cat tom --type=merge -p {"spec":{"lives":7}}', says: 'cat.{ns}.example.com/tom patched\n' },
  {
    run: 'patch cat tom -p {"spec":{"lives":7}}',
    fails: /application\/strategic-merge-patch\+json is not supported by {ns}\.example\.com\/v1, Kind=Cat/,
  },
  {
    run: 'create -f -',
    input: CAT.replace('lives', 'live').replace('tom', 'tim'),
    fails: /strict decoding error: unknown field "spec\.live"\n$/,
  },
  { run: 'label cat tom a=b', says: 'cat.{ns}.example.com/tom labeled\n' },
  { run: 'annotate cat tom a=b', says: 'cat.{ns}.example.com/tom annotated\n' },
  { run: 'scale cat tom --replicas=2', says: 'cat.{ns}.example.com/tom scaled\n' },
  {
    run: 'wait --for=jsonpath={.spec.replicas}=2 cat/tom --timeout=60s',
    says: 'cat.{ns}.example.com/tom condition met\n',
  },
  { run: 'get cats', says: /^NAME +AGE\ntom +\S+\n$/ },
  { run: 'describe cat tom', says: /^Name: +tom\n(.*\n)*Spec:\n {2}Color: +green\n {2}Lives: +7\n {2}Replicas: +2\n/ },
  { run: 'delete cat tom', says: 'cat.{ns}.example.com "tom" deleted from {ns} namespace\n' },
  { run: 'delete crd cats.{ns}.example.com', says: /deleted\n$/ },
];

const SCENARIOS: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ['create every KIND, auth, tokens, deletes of many', CREATES],
  ['apply, diff, edit, server-side, replace', APPLIES],
  ['set, rollout, patch, scale, wait, describe', WORKLOADS],
  ['explain and validation', EXPLAINS],
  ['a custom resource', CUSTOM],
];

const filled = (text: string, ns: string): string => text.replaceAll('{ns}', ns);
const pattern = (given: RegExp, ns: string): RegExp => new RegExp(filled(given.source, ns));

async function check(kubectl: Kubectl, ns: string, step: Step): Promise<void> {
  const run = filled(step.run, ns);
  const input = filled(step.input ?? '', ns);
  const ask = () => kubectl.run(run, input);
  const succeeds = async () => {
    const outcome = await ask();
    return outcome.code === 0 && outcome;
  };
  const { code, stdout, stderr } = await (step.eventually ? until(`kubectl ${run}`, succeeds) : ask());
  assert.equal(code, step.code ?? (step.fails ? 1 : 0), `kubectl ${run}: ${stderr}${stdout}`);
  if (step.fails) assert.match(stderr, pattern(step.fails, ns), `kubectl ${run}`);
  if (typeof step.says === 'string') assert.equal(stdout, filled(step.says, ns), `kubectl ${run}`);
  else if (step.says) assert.match(stdout, pattern(step.says, ns), `kubectl ${run}: ${stdout}`);
}

forEachTarget('kubectl', (target) => {
  const skip = findKubectl() === undefined ? 'needs kubectl (`npm run kube:build` builds it)' : false;
  for (const [name, steps] of SCENARIOS) {
    test(name, { skip }, async (t) => {
      const directory = mkdtempSync(join(tmpdir(), 'kubectl-'));
      t.after(() => rmSync(directory, { recursive: true, force: true }));
      const namespace = await target.namespace();
      const { kubeconfig } = target.choice;
      const editor = "sed -i -e s/blue/green/ -e s/'color: red'/'color: green'/";
      const kubectl = new Kubectl({ kubeconfig, directory, namespace, editor });
      for (const step of steps) await check(kubectl, namespace, step);
    });
  }
});
