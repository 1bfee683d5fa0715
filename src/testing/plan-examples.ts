// Plans that show everything a plan can hold; the renderers print them into golden files.

import { UNKNOWN } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Plan } from '../model/plan.ts';
import { buildChange, buildParent, buildPlan } from './plan-builder.ts';

export const CANARY = 'canary-s3cret-value';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const metadata = (name: string, more: object = {}): KubeObject['metadata'] => ({ name, namespace: 'default', ...more });
const core = (kind: string, name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: metadata(name, { uid: `${name}-uid`, resourceVersion: '7' }),
  ...more,
});

const service = (port: number, selector: object): KubeObject =>
  core('Service', 'shop', { spec: { ports: [{ name: 'http', port, protocol: 'TCP' }], selector, type: 'ClusterIP' } });
const pod = (name: string, image: string): KubeObject =>
  core('Pod', name, { spec: { containers: [{ name: 'web', image }], restartPolicy: 'Always' } });
const config = (lines: readonly string[], more: object = {}): KubeObject =>
  core('ConfigMap', 'settings', { data: { 'nginx.conf': `${lines.join('\n')}\n`, ...more } });

const NGINX = ['http {', '  server {', '    listen 80;', '    server_name shop;', '    location / {}', '  }', '}'];
const LONG = `https://example.com/${'a-rather-long-path-segment/'.repeat(6)}index.html`;

const created: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata('shop-2', {
    labels: { 'app.kubernetes.io/name': 'shop' },
    ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Web', name: 'shop', uid: UNKNOWN, controller: true }],
  }),
  spec: { containers: [{ name: 'web', image: 'nginx:1.27', args: [], env: [{ name: 'TOKEN', value: CANARY }] }] },
};

/** Every action once; Secrets, long values, texts of several lines, names that need quotes. */
export function changesOfEveryAction(): Change[] {
  const owned = core('Pod', 'orphan', { spec: {} });
  return [
    buildChange({ action: 'adopt', reasons: ['adopt'], wave: 'claim', before: owned, after: withOwner(owned) }),
    buildChange({
      action: 'release',
      reasons: ['not_owned'],
      wave: 'claim',
      before: withOwner(core('Pod', 'stray')),
      after: core('Pod', 'stray'),
      note: "its labels no longer match the parent's selector",
    }),
    buildChange({
      action: 'delete',
      reasons: ['hook_dropped'],
      before: core('ConfigMap', 'legacy', { data: { a: 'b' } }),
      fidelity: { level: 'server' },
    }),
    buildChange({ action: 'create', after: created, fidelity: { level: 'unknown', why: 'holds values known later' } }),
    buildChange({
      action: 'update',
      before: service(8080, { app: 'shop' }),
      after: service(9090, { app: 'shop', 'app.kubernetes.io/track': 'stable' }),
    }),
    buildChange({
      action: 'update',
      reasons: ['drift'],
      before: config(NGINX, { url: LONG, gone: 'x', port: '80' }),
      after: config(NGINX.with(2, '    listen 8080;'), { url: LONG.replace('index', 'start'), port: 80 }),
    }),
    buildChange({
      action: 'recreate',
      before: pod('shop-0', 'nginx:1.26'),
      after: pod('shop-0', 'nginx:1.27'),
      note: 'update strategy Recreate: deleted now, created again when it is gone',
    }),
    buildChange({
      action: 'update',
      before: core('Secret', 'login', { data: { user: base64('root'), password: base64(`${CANARY}-old`) } }),
      after: core('Secret', 'login', {
        data: { user: base64('root'), password: base64(CANARY), extra: base64(CANARY) },
      }),
    }),
    buildChange({
      action: 'blocked',
      reasons: ['not_owned'],
      before: core('ConfigMap', 'taken'),
      after: core('ConfigMap', 'taken'),
      note: 'ConfigMap default/taken exists already and belongs to Web other',
    }),
    buildChange({
      action: 'blocked',
      reasons: ['unknown_dependency'],
      after: core('Job', 'migrate'),
      note: `needs the address of Service default/shop, which is ${UNKNOWN}`,
    }),
    buildChange({
      action: 'skip',
      reasons: ['on_delete'],
      before: pod('cache-0', 'redis:7'),
      after: pod('cache-0', 'redis:8'),
      note: 'update strategy OnDelete: it changes only when somebody deletes it',
    }),
    buildChange({ action: 'keep', reasons: ['ignored_only'], before: core('ConfigMap', 'flags') }),
    buildChange({
      action: 'status',
      wave: 'status',
      subresource: 'status',
      before: web({ replicas: 2, conditions: [{ type: 'Ready', status: 'False' }] }),
      after: web({ replicas: 3, conditions: [{ type: 'Ready', status: 'True' }], observedGeneration: 4 }),
    }),
  ];
}

const web = (status: object): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: metadata('shop', { uid: 'parent-uid' }),
  spec: { replicas: 3 },
  status: { ...status },
});

function withOwner(object: KubeObject): KubeObject {
  const owner = { apiVersion: 'example.com/v1', kind: 'Web', name: 'shop', uid: 'parent-uid', controller: true };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

export function planOfEverything(): Plan {
  const crd: KubeObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'webs.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Web', plural: 'webs' } },
  };
  return buildPlan({
    inputs: [buildChange({ action: 'create', reasons: [], wave: 'inputs', after: crd, fidelity: { level: 'server' } })],
    inputsUnchanged: 2,
    parents: [
      buildParent({
        changes: changesOfEveryAction(),
        unchanged: 4,
        observed: 9,
        result: {
          kind: 'blocked',
          waitingOn: [
            {
              ref: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'shop-1' },
              reason: `ContainersNotReady: container web is waiting (ImagePullBackOff: pull access denied for ${CANARY})`,
            },
          ],
          resyncAfterSeconds: 30,
        },
        diagnostics: [
          { severity: 'warning', code: 'child-not-owned', summary: 'ConfigMap default/taken belongs to Web other' },
        ],
      }),
      buildParent({
        parent: { apiVersion: 'example.com/v1', kind: 'Web', namespace: 'default', name: 'blog' },
        unchanged: 3,
        observed: 3,
      }),
    ],
    diagnostics: [
      {
        severity: 'error',
        code: 'hook-failed',
        summary: `CompositeController/web: sync of Web default/bad failed: login with ${CANARY} refused`,
        hint: 'Look at the hook.',
        subject: { apiVersion: 'example.com/v1', kind: 'Web', namespace: 'default', name: 'bad' },
        source: { file: 'controller.yaml', line: 3, column: 5, lineText: `    token: ${CANARY}` },
      },
    ],
  });
}

/** Two steps: the step stands beside each change. */
export function planOfTwoSteps(): Plan {
  const [before, after] = [pod('shop-0', 'nginx:1.26'), pod('shop-0', 'nginx:1.27')];
  return buildPlan({
    target: { kind: 'sandbox' },
    parents: [
      buildParent({
        observed: 2,
        changes: [
          buildChange({ action: 'update', reasons: ['revision_change'], before, after }),
          buildChange({ action: 'create', reasons: ['hook_returned'], step: 2, after: pod('shop-1', 'nginx:1.27') }),
        ],
      }),
    ],
  });
}

/** Server-side apply: what moves over, what is taken and left, a conflict, and the three ways in which it was foretold. */
export function planOfServerSide(): Plan {
  const [before, after] = [service(80, { app: 'shop' }), service(8080, { app: 'shop' })];
  const intent = { kind: 'apply', desired: after } as const;
  const migration = { fieldManager: 'metactl', from: ['metacontroller'], annotations: [], fields: { 'f:spec': {} } };
  const named = (name: string, object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, name },
  });
  const update = (name: string, draft: Partial<Parameters<typeof buildChange>[0]>): Change =>
    buildChange({ action: 'update', before: named(name, before), after: named(name, after), intent, ...draft });
  const merged = { level: 'schema', why: 'merged here; the server may add to it' } as const;
  const moved = 'moves over to server-side apply';
  const conflict = `Service default/clash has fields of other managers: spec.ports[port=80,protocol="TCP"].targetPort of "kubectl-edit" (is 9090, wanted 8080); spec.selector of "a-tool-with-a-rather-long-name" (is {"app":"theirs","tier":"web"}, wanted {"app":"shop"})`;
  const changes = [
    update('tried', { fidelity: { level: 'server' } }),
    update('merged', { fidelity: merged, note: 'leaves spec.type of "kubectl-edit"' }),
    update('taken', {
      ...{ reasons: ['drift'], force: true, fidelity: { level: 'server' }, intent: { ...intent, exact: true } },
      note: 'takes spec.ports[port=80,protocol="TCP"].port of "kubectl-edit"; leaves spec.type of "kubectl-edit"',
    }),
    update('moved', { after: named('moved', before), intent: { kind: 'migrate', migration }, note: moved }),
    update('both', {
      ...{ intent: { kind: 'migrate', migration }, fidelity: merged },
      note: `${moved}, then it is applied: two writes`,
    }),
    buildChange({
      ...{ action: 'blocked', reasons: ['conflict'], before: named('clash', before), after: named('clash', before) },
      note: conflict,
    }),
  ];
  return buildPlan({ parents: [buildParent({ observed: 6, changes })] });
}

export function planOfNothing(): Plan {
  return buildPlan({
    inputsUnchanged: 2,
    parents: [buildParent({ unchanged: 2, observed: 2 }), buildParent({ unchanged: 5, observed: 5 })],
  });
}
