// What compiles and what does not: `npm run lint` (tsc) fails when a line below @ts-expect-error is right, or another one wrong.
// What runs is checked as well.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attachmentsOf,
  type CompositeHooks,
  type CompositeRequest,
  childrenOf,
  condition,
  conditionStatus,
  type DecoratorHooks,
  type Deployment,
  type Desired,
  defineComposite,
  defineDecorator,
  defineMap,
  type Ingress,
  type KubeObject,
  type MapHooks,
  type Metadata,
  type Namespace,
  outputsOf,
  ownerOf,
  type Pod,
  relatedOf,
  type Secret,
  type Service,
} from './index.ts';

/** As `metactl types` writes it. */
interface Web {
  apiVersion: 'example.com/v1';
  kind: 'Web';
  metadata: Metadata;
  spec: WebSpec;
  status?: WebStatus;
}
interface WebSpec {
  image: string;
  replicas?: number;
}
interface WebStatus {
  ready?: number;
  conditions?: { type: string; status: string; reason?: string }[];
}

const web: Web = {
  apiVersion: 'example.com/v1',
  kind: 'Web',
  metadata: { name: 'shop' },
  spec: { image: 'nginx:1.29' },
};
const controller: KubeObject = { apiVersion: 'v1', kind: 'Controller', metadata: {} };
const context = { dryRun: true, now: '2026-01-01T00:00:00Z' };

function deployment({ metadata, spec }: Web): Desired<Deployment> {
  const labels = { app: metadata.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: metadata.name, labels },
    spec: {
      ...(spec.replicas === undefined ? {} : { replicas: spec.replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: spec.image }] } },
    },
  };
}

describe('composite', () => {
  test('parent, children, status and related objects have their types', async () => {
    const hooks = defineComposite<Web, Deployment | Service, Namespace>({
      sync: (request) => {
        const [first] = childrenOf(request, 'apps/v1', 'Deployment');
        const ready: number | undefined = first?.status?.readyReplicas;
        const services: Service[] = childrenOf(request, 'v1', 'Service');
        const byGroup: Readonly<Record<string, Service>> = request.children['Service.v1'];
        const namespaces: Namespace[] = relatedOf(request, 'v1', 'Namespace');
        // @ts-expect-error a Deployment has no such field
        const wrong = first?.status?.readyReplica;
        // @ts-expect-error the controller declares no Secrets
        const secrets = childrenOf(request, 'v1', 'Secret');
        // @ts-expect-error nor does it ask for them
        const related = request.related['Secret.v1'];
        assert.deepEqual(
          [services, byGroup, namespaces, wrong, secrets, related],
          [[], {}, [], undefined, [], undefined],
        );
        return {
          status: { ready: ready ?? 0, conditions: [condition('Ready', ready === 1)] },
          children: [deployment(request.parent)],
        };
      },
    });
    const children = { 'Deployment.apps/v1': {}, 'Service.v1': {} };
    const request = { controller, parent: web, children, related: { 'Namespace.v1': {} }, finalizing: false };
    assert.deepEqual(await hooks.sync(request, context), {
      status: { ready: 0, conditions: [{ type: 'Ready', status: 'False' }] },
      children: [deployment(web)],
    });
  });

  test('what is wrong in an answer does not compile', () => {
    const hooks: CompositeHooks<Web, Deployment | Service>[] = [
      // @ts-expect-error a number in the status, not a text
      { sync: () => ({ status: { ready: 'one' } }) },
      // @ts-expect-error Secrets are not declared
      { sync: () => ({ children: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }] }) },
      // @ts-expect-error a Deployment without its name
      { sync: ({ parent }) => ({ children: [{ ...deployment(parent), metadata: {} }] }) },
      {
        sync: () => ({
          // @ts-expect-error ports are numbers or names, not true
          children: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: true }] } }],
        }),
      },
      // @ts-expect-error there is no hook of that name
      { sync: () => ({}), snyc: () => ({}) },
    ];
    assert.equal(hooks.length, 5);
  });

  test('a field that there is not does not compile where the kind is said', () => {
    const made: Desired<Deployment>[] = [
      // @ts-expect-error `replica` is not a field
      { ...deployment(web), spec: { replica: 1, selector: {}, template: {} } },
      // @ts-expect-error a Deployment has no status to be set
      { ...deployment(web), status: {} },
    ];
    assert.equal(made.length, 2);
  });

  test('the same by types alone, without the package at run time', () => {
    const { sync } = {
      sync: ({ parent, children }) => ({
        status: { ready: Object.keys(children['Deployment.apps/v1']).length },
        children: [deployment(parent)],
      }),
    } satisfies CompositeHooks<Web, Deployment>;
    const given = { controller, parent: web, children: { 'Deployment.apps/v1': {} }, related: {}, finalizing: false };
    const answer = sync(given);
    const image: string | undefined = answer.children[0]?.spec?.template.spec?.containers[0]?.image;
    assert.equal(image, 'nginx:1.29');
  });

  test('without type parameters everything is JSON, and built-in kinds are known by name all the same', async () => {
    const hooks = defineComposite({
      sync: (request) => {
        const pods: Pod[] = childrenOf(request, 'v1', 'Pod');
        const own: Web[] = childrenOf<Web>(request, 'example.com/v1', 'Web');
        const others: KubeObject[] = childrenOf(request, 'example.com/v1', 'Other');
        // @ts-expect-error this is not how a Web is called
        childrenOf<Web>(request, 'example.com/v2', 'Web');
        // @ts-expect-error `phase` is a text
        const phase: number | undefined = pods[0]?.status?.phase;
        const parentName: string | undefined = request.parent.metadata.name;
        return { status: { phase, parentName, own: own.length, others: others.length }, children: [] };
      },
    });
    const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Running' } };
    const parent: KubeObject = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } };
    const request: CompositeRequest = {
      controller,
      parent,
      children: { 'Pod.v1': { a: pod } },
      related: {},
      finalizing: false,
    };
    const { status } = await hooks.sync(request, context);
    assert.deepEqual(status, { phase: 'Running', parentName: 'a', own: 0, others: 0 });
  });
});

describe('decorator', () => {
  test('the object, its attachments and what is set on it', async () => {
    const hooks = defineDecorator<Pod, Service>({
      sync: (request) => {
        const { object } = request;
        const node: string | undefined = object.spec?.nodeName;
        const attached: Service[] = attachmentsOf(request, 'v1', 'Service');
        // @ts-expect-error Secrets are not declared
        attachmentsOf(request, 'v1', 'Secret');
        return { labels: { node: node ?? null, old: null }, annotations: { count: String(attached.length) } };
      },
      finalize: (request) => ({ attachments: [], finalized: attachmentsOf(request, 'v1', 'Service').length === 0 }),
      customize: ({ parent }) => ({
        relatedResources: [{ apiVersion: 'v1', resource: 'nodes', names: [parent.spec?.nodeName ?? ''] }],
      }),
    });
    const bad: DecoratorHooks<Pod, Service>[] = [
      // @ts-expect-error a label is a text
      { sync: () => ({ labels: { node: 1 } }) },
      {
        sync: () => ({}),
        // @ts-expect-error a label selector is no text
        customize: () => ({ relatedResources: [{ apiVersion: 'v1', resource: 'a', labelSelector: 'a' }] }),
      },
    ];
    const object: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
    const request = { controller, object, attachments: { 'Service.v1': {} }, related: {}, finalizing: false };
    assert.deepEqual(await hooks.sync(request, context), {
      labels: { node: null, old: null },
      annotations: { count: '0' },
    });
    assert.equal(bad.length, 2);
  });
});

describe('map', () => {
  test('input, outputs, and tombstones that keep what is there', async () => {
    const hooks = defineMap<Web, Service, Ingress>({
      map: ({ parent, input, outputs }) => {
        const port: number | undefined = input.spec?.ports?.[0]?.port;
        // @ts-expect-error outputs are Ingresses
        const services = outputs['Service.v1'];
        assert.equal(services, undefined);
        return {
          outputs: [
            {
              apiVersion: 'networking.k8s.io/v1',
              kind: 'Ingress',
              metadata: { name: input.metadata.name },
              spec: { defaultBackend: { service: { name: parent.metadata.name, port: { number: port ?? 80 } } } },
            },
          ],
        };
      },
      tombstone: (request) => ({ outputs: outputsOf(request, 'networking.k8s.io/v1', 'Ingress').slice(-1) }),
      finalize: ({ finalizing }) => ({ finalized: finalizing }),
    });
    const bad: MapHooks<Web, Service, Ingress>[] = [
      // @ts-expect-error without map
      { tombstone: () => ({}) },
      // @ts-expect-error tombstone has no input
      { map: () => ({}), tombstone: ({ input }) => ({ outputs: [input] }) },
      // @ts-expect-error a Service is no output
      { map: ({ input }) => ({ outputs: [input] }) },
    ];
    assert.equal(bad.length, 3);
    const ingress: Ingress = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'a' } };
    const given = {
      controller,
      parent: web,
      mapKey: 'k',
      outputs: { 'Ingress.networking.k8s.io/v1': { a: ingress } },
      related: {},
    };
    assert.deepEqual(await hooks.tombstone?.(given, context), { outputs: [ingress] });
  });
});

test('helpers take typed objects and plain ones', () => {
  const reference = { apiVersion: 'example.com/v1', kind: 'Web', name: 'shop', uid: '1', controller: true };
  const secret: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', ownerReferences: [reference] } };
  assert.deepEqual(ownerOf(secret), reference);
  assert.equal(ownerOf(web), undefined);
  assert.equal(ownerOf(controller), undefined);
  const ready: Web = { ...web, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  assert.equal(conditionStatus(ready, 'Ready'), 'True');
});
