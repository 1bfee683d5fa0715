// Discovery documents, old and aggregated, and the handful of other paths that clients ask before anything else.

import { absent, any, including, matching, type Topic } from './check.ts';
import { definition } from './objects.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export const discovery: Topic = {
  name: 'discovery',
  checks: [
    {
      name: '/version',
      reason: 'features are chosen by it',
      steps: [
        {
          send: 'GET /version',
          code: 200,
          want: { major: '1', minor: any, gitVersion: matching(/^v1\.\d+\.\d+/), platform: any },
        },
      ],
    },
    {
      name: '/readyz, /livez and /healthz',
      reason: 'who starts a server waits for them',
      steps: [
        { send: 'GET /readyz', code: 200, text: 'ok' },
        { send: 'GET /livez', code: 200, text: 'ok' },
        { send: 'GET /healthz', code: 200, text: 'ok' },
      ],
    },
    {
      name: '/api',
      reason: 'the versions of the core group',
      steps: [{ send: 'GET /api', code: 200, want: { kind: 'APIVersions', versions: ['v1'] } }],
    },
    {
      name: '/apis',
      reason: 'all groups, with the preferred version',
      steps: [
        {
          send: 'GET /apis',
          code: 200,
          want: {
            kind: 'APIGroupList',
            apiVersion: 'v1',
            groups: including(
              {
                name: 'apps',
                versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
                preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
              },
              { name: 'batch' },
              { name: 'apiextensions.k8s.io' },
              { name: 'rbac.authorization.k8s.io' },
            ),
          },
        },
      ],
    },
    {
      name: '/apis/apps',
      reason: 'one group',
      steps: [
        {
          send: 'GET /apis/apps',
          code: 200,
          want: { kind: 'APIGroup', apiVersion: 'v1', name: 'apps', preferredVersion: { version: 'v1' } },
        },
      ],
    },
    {
      name: '/api/v1',
      reason: 'resources with scope, kind, verbs and subresources',
      steps: [
        {
          send: 'GET /api/v1',
          code: 200,
          want: {
            kind: 'APIResourceList',
            groupVersion: 'v1',
            resources: including(
              {
                name: 'configmaps',
                singularName: 'configmap',
                namespaced: true,
                kind: 'ConfigMap',
                shortNames: ['cm'],
                verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
              },
              { name: 'namespaces', namespaced: false, kind: 'Namespace', shortNames: ['ns'] },
              { name: 'pods/status', namespaced: true, kind: 'Pod', verbs: ['get', 'patch', 'update'] },
            ),
          },
        },
      ],
    },
    {
      name: '/apis/apps/v1',
      reason: 'as above, in a named group',
      steps: [
        {
          send: 'GET /apis/apps/v1',
          code: 200,
          want: {
            kind: 'APIResourceList',
            groupVersion: 'apps/v1',
            resources: including(
              { name: 'deployments', kind: 'Deployment', namespaced: true, categories: ['all'] },
              { name: 'deployments/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
              { name: 'statefulsets/status' },
              { name: 'controllerrevisions' },
            ),
          },
        },
      ],
    },
    {
      name: 'a group or version that is not there',
      reason: 'clients fall back or refresh',
      steps: [
        { send: 'GET /apis/nobody.example.com', code: 404, text: '404 page not found\n' },
        { send: 'GET /apis/nobody.example.com/v1', code: 404, text: '404 page not found\n' },
      ],
    },
    {
      name: 'aggregated: the core group',
      reason: 'one document instead of dozens; the client says so in Accept',
      steps: [
        {
          send: 'GET /api',
          accept: `${AGGREGATED},application/json`,
          code: 200,
          want: {
            kind: 'APIGroupDiscoveryList',
            apiVersion: 'apidiscovery.k8s.io/v2',
            items: [
              {
                metadata: { name: absent },
                versions: [
                  {
                    version: 'v1',
                    freshness: 'Current',
                    resources: including({
                      resource: 'pods',
                      responseKind: { group: '', version: '', kind: 'Pod' },
                      scope: 'Namespaced',
                      singularResource: 'pod',
                      verbs: including('create', 'watch'),
                      shortNames: ['po'],
                      categories: ['all'],
                      subresources: including({ subresource: 'status' }),
                    }),
                  },
                ],
              },
            ],
          },
        },
      ],
    },
    {
      name: 'aggregated: the named groups, custom ones among them',
      reason: 'kubectl finds a new kind by it',
      steps: [
        {
          send: 'GET /apis',
          accept: `${AGGREGATED},application/json`,
          code: 200,
          want: {
            kind: 'APIGroupDiscoveryList',
            apiVersion: 'apidiscovery.k8s.io/v2',
            items: including(
              { metadata: { name: 'apps' } },
              {
                metadata: { name: '{group}' },
                versions: including({
                  version: 'v1',
                  freshness: 'Current',
                  resources: including({
                    resource: 'things',
                    responseKind: { group: '{group}', version: 'v1', kind: 'Thing' },
                    scope: 'Namespaced',
                    singularResource: 'thing',
                    subresources: including({
                      subresource: 'status',
                      responseKind: { group: '{group}', version: 'v1', kind: 'Thing' },
                      verbs: ['get', 'patch', 'update'],
                    }),
                  }),
                }),
              },
            ),
          },
          eventually: true,
        },
      ],
    },
    {
      name: 'a custom group in the old documents',
      reason: 'clients without aggregated discovery',
      steps: [
        {
          send: 'GET /apis',
          code: 200,
          want: {
            groups: including({
              name: '{group}',
              versions: including({ groupVersion: '{group}/v1', version: 'v1' }),
              preferredVersion: { groupVersion: '{group}/v1', version: 'v1' },
            }),
          },
          eventually: true,
        },
        { send: 'GET /apis/{group}', code: 200, want: { kind: 'APIGroup', name: '{group}' }, eventually: true },
        {
          send: 'GET /apis/{group}/v1',
          code: 200,
          want: {
            kind: 'APIResourceList',
            groupVersion: '{group}/v1',
            resources: including(
              {
                name: 'things',
                singularName: 'thing',
                namespaced: true,
                kind: 'Thing',
                verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
              },
              { name: 'things/status', singularName: '', kind: 'Thing', verbs: ['get', 'patch', 'update'] },
            ),
          },
          eventually: true,
        },
      ],
    },
    {
      name: 'short names, categories and versions of a custom kind',
      reason: 'kubectl get by a short name',
      steps: [
        {
          send: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          body: definition('gears', {
            names: { shortNames: ['gr'], categories: ['all'], singular: 'gear' },
            versions: { v1alpha1: { served: true, storage: false }, v1beta1: { served: true, storage: true } },
          }),
          code: 201,
        },
        {
          send: 'GET /apis/{group}/v1beta1',
          code: 200,
          want: { resources: including({ name: 'gears', shortNames: ['gr'], categories: ['all'] }) },
          eventually: true,
        },
        {
          send: 'GET /apis/{group}',
          code: 200,
          want: {
            versions: [{ version: 'v1' }, { version: 'v1beta1' }, { version: 'v1alpha1' }],
            preferredVersion: { version: 'v1' },
          },
          eventually: true,
        },
      ],
    },
  ],
};
