// CustomResourceDefinitions: created, established, served, changed, deleted. Each check has its own plural and kind in the
// topic's group. The objects are served a moment after the definition says so; the first request waits for it.

import { absent, any, type Check, containing, including, type RequestStep, type Topic } from './check.ts';
import { definition } from './objects.ts';

const ALL = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const objects = (plural: string, version = 'v1'): string => `/apis/{group}/${version}/namespaces/{ns}/${plural}`;

const created = (plural: string, options: Parameters<typeof definition>[1] = {}): RequestStep => ({
  send: `POST ${ALL}`,
  body: definition(plural, options),
  code: 201,
});
const served = (plural: string, version?: string): RequestStep => ({
  send: `GET ${objects(plural, version)}`,
  code: 200,
  eventually: true,
});
/** The first write too: the storage of a new kind comes up after its list answers. */
const instance = (plural: string, kind: string, name = 'a'): RequestStep => ({
  send: `POST ${objects(plural)}`,
  body: { apiVersion: '{group}/v1', kind, metadata: { name }, spec: { n: 1 } },
  code: 201,
  eventually: true,
});

const WITH_DEFAULTS = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        note: { type: 'string' },
        replicas: { type: 'integer', default: 1 },
        strategy: { type: 'object', default: {}, properties: { type: { type: 'string', default: 'Rolling' } } },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } },
        },
      },
    },
  },
};

const life: readonly Check[] = [
  {
    name: 'created, then established',
    reason: 'apply waits for the condition before it writes objects of the kind',
    steps: [
      { ...created('apples'), want: { metadata: { generation: 1 }, spec: { scope: 'Namespaced' } } },
      {
        send: `GET ${ALL}/apples.{group}`,
        code: 200,
        want: {
          spec: { conversion: { strategy: 'None' } },
          status: {
            conditions: including(
              { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
              {
                type: 'Established',
                status: 'True',
                reason: 'InitialNamesAccepted',
                message: 'the initial names have been accepted',
              },
            ),
            acceptedNames: { plural: 'apples', singular: 'apple', kind: 'Apple', listKind: 'AppleList' },
            storedVersions: ['v1'],
          },
        },
        eventually: true,
      },
    ],
  },
  {
    name: 'names are filled in',
    reason: 'singular and listKind follow from the kind',
    steps: [
      {
        ...created('pears'),
        want: { spec: { names: { plural: 'pears', singular: 'pear', kind: 'Pear', listKind: 'PearList' } } },
      },
    ],
  },
  {
    name: 'its objects are stored and listed',
    reason: 'the point of it all',
    steps: [
      created('plums'),
      served('plums'),
      { ...instance('plums', 'Plum'), want: { kind: 'Plum', metadata: { generation: 1 }, spec: { n: 1 } } },
      { send: `GET ${objects('plums')}`, code: 200, want: { kind: 'PlumList', items: [{ metadata: { name: 'a' } }] } },
    ],
  },
  {
    name: 'defaults of the schema are filled in',
    reason: 'a hook is asked about the stored parent, and a plan foretells it',
    steps: [
      created('quinces', { schema: WITH_DEFAULTS }),
      served('quinces'),
      {
        ...instance('quinces', 'Quince'),
        save: { rv: 'metadata.resourceVersion' },
        want: { spec: { n: 1, replicas: 1, strategy: { type: 'Rolling' }, note: absent } },
      },
      {
        send: `PUT ${objects('quinces')}/a`,
        body: {
          apiVersion: '{group}/v1',
          kind: 'Quince',
          metadata: { name: 'a', resourceVersion: '{rv}' },
          spec: { replicas: 3, strategy: {}, ports: [{}] },
        },
        code: 200,
        want: { spec: { replicas: 3, strategy: { type: 'Rolling' }, ports: [{ protocol: 'TCP' }] } },
      },
    ],
  },
  {
    name: 'cluster scope',
    reason: 'objects without a namespace',
    steps: [
      created('worlds', { scope: 'Cluster' }),
      { send: 'GET /apis/{group}/v1/worlds', code: 200, eventually: true },
      {
        send: 'POST /apis/{group}/v1/worlds',
        body: { apiVersion: '{group}/v1', kind: 'World', metadata: { name: 'a' } },
        code: 201,
        want: { metadata: { name: 'a', namespace: absent } },
        eventually: true,
      },
      { send: `GET ${objects('worlds')}`, code: 404, text: '404 page not found\n' },
      { send: 'DELETE /apis/{group}/v1/worlds/a', code: 200 },
    ],
  },
  {
    name: 'deleted: the definition and its objects go',
    reason: 'nobody is left behind',
    steps: [
      created('figs'),
      served('figs'),
      instance('figs', 'Fig'),
      { send: `DELETE ${ALL}/figs.{group}`, code: 200 },
      { send: `GET ${ALL}/figs.{group}`, code: 404, reason: 'NotFound', eventually: true },
      { send: `GET ${objects('figs')}`, code: 404, text: '404 page not found\n', eventually: true },
      created('figs'),
      served('figs'),
      { send: `GET ${objects('figs')}`, code: 200, want: { items: [] } },
    ],
  },
  {
    name: 'a deletion waits for the objects',
    reason: 'it has a finalizer of its own; an object that waits holds it',
    steps: [
      created('dates'),
      served('dates'),
      {
        send: `POST ${objects('dates')}`,
        body: { apiVersion: '{group}/v1', kind: 'Date', metadata: { name: 'a', finalizers: ['example.com/x'] } },
        code: 201,
        eventually: true,
      },
      {
        send: `DELETE ${ALL}/dates.{group}`,
        code: 200,
        want: { metadata: { deletionTimestamp: any, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] } },
      },
      {
        send: `GET ${objects('dates')}/a`,
        code: 200,
        want: { metadata: { deletionTimestamp: any } },
        eventually: true,
      },
      {
        send: `GET ${ALL}/dates.{group}`,
        code: 200,
        want: { status: { conditions: including({ type: 'Terminating', status: 'True' }) } },
        eventually: true,
      },
      { send: `PATCH ${objects('dates')}/a`, as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
      { send: `GET ${ALL}/dates.{group}`, code: 404, eventually: true },
    ],
  },
];

const versions: readonly Check[] = [
  {
    name: 'two served versions show one object',
    reason: 'without conversion only the apiVersion differs',
    steps: [
      created('melons', { versions: { v1: { served: true, storage: true }, v2: { served: true, storage: false } } }),
      served('melons'),
      served('melons', 'v2'),
      instance('melons', 'Melon'),
      {
        send: `GET ${objects('melons', 'v2')}/a`,
        code: 200,
        want: { apiVersion: '{group}/v2', kind: 'Melon', spec: { n: 1 } },
      },
      {
        send: `PATCH ${objects('melons', 'v2')}/a`,
        as: 'merge',
        body: { spec: { n: 2 } },
        code: 200,
        want: { apiVersion: '{group}/v2', metadata: { generation: 2 } },
      },
      { send: `GET ${objects('melons')}/a`, code: 200, want: { apiVersion: '{group}/v1', spec: { n: 2 } } },
    ],
  },
  {
    name: 'a version that is not served',
    reason: 'it looks like one that does not exist',
    steps: [
      created('grapes', { versions: { v1: { served: true, storage: true }, v0: { served: false, storage: false } } }),
      served('grapes'),
      { send: `GET ${objects('grapes', 'v0')}`, code: 404, text: '404 page not found\n' },
    ],
  },
  {
    name: 'a version is added',
    reason: 'definitions grow',
    steps: [
      created('limes'),
      served('limes'),
      {
        send: `PATCH ${ALL}/limes.{group}`,
        as: 'json',
        body: [
          {
            op: 'add',
            path: '/spec/versions/-',
            value: { name: 'v1beta1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
          },
        ],
        code: 200,
        want: { metadata: { generation: 2 } },
      },
      served('limes', 'v1beta1'),
    ],
  },
];

const INVALID: readonly [
  name: string,
  plural: string,
  change: Parameters<typeof invalid>[1],
  parts: readonly string[],
][] = [
  [
    'a name that is not plural.group',
    'kiwis',
    { metadata: { name: 'kiwis.elsewhere.example.com' } },
    ['metadata.name: Invalid value', 'must be spec.names.plural+"."+spec.group'],
  ],
  ['no version', 'nuts', { spec: { versions: [] } }, ['spec.versions']],
  ['a scope nobody knows', 'seeds', { spec: { scope: 'Galaxy' } }, ['spec.scope: Unsupported value: "Galaxy"']],
  ['an upper-case plural', 'Roots', {}, ['spec.names.plural: Invalid value: "Roots"']],
];

function invalid(plural: string, change: { readonly metadata?: object; readonly spec?: object }): RequestStep {
  const whole = definition(plural) as { readonly metadata: object; readonly spec: object };
  return {
    send: `POST ${ALL}`,
    body: {
      ...whole,
      metadata: { ...whole.metadata, ...change.metadata },
      spec: { ...whole.spec, ...change.spec },
    } as never,
    code: 422,
    reason: 'Invalid',
  };
}

const refused: readonly Check[] = INVALID.map(([name, plural, change, parts]) => ({
  name: `refused: ${name}`,
  reason: 'a definition that can not work is not stored',
  steps: [
    { ...invalid(plural, change), message: containing('CustomResourceDefinition.apiextensions.k8s.io', ...parts) },
  ],
}));

const storage: readonly Check[] = [
  {
    name: 'refused: two storage versions, or none',
    reason: 'objects are stored in exactly one',
    steps: [
      {
        send: `POST ${ALL}`,
        body: definition('twos', {
          versions: { v1: { served: true, storage: true }, v2: { served: true, storage: true } },
        }),
        code: 422,
        reason: 'Invalid',
        message: containing('must have exactly one version marked as storage version'),
      },
      {
        send: `POST ${ALL}`,
        body: definition('nones', { versions: { v1: { served: true, storage: false } } }),
        code: 422,
        reason: 'Invalid',
        message: containing('must have exactly one version marked as storage version'),
      },
    ],
  },
  {
    name: 'a kind that is taken is not accepted',
    reason: 'two definitions of one kind: the second never serves',
    steps: [
      created('firsts', { kind: 'Same' }),
      served('firsts'),
      created('seconds', { kind: 'Same' }),
      {
        send: `GET ${ALL}/seconds.{group}`,
        code: 200,
        want: {
          status: {
            conditions: including(
              {
                type: 'NamesAccepted',
                status: 'False',
                reason: 'ListKindConflict',
                message: '"SameList" is already in use',
              },
              { type: 'Established', status: 'False', reason: 'NotAccepted' },
            ),
          },
        },
        eventually: true,
      },
      { send: `GET ${objects('seconds')}`, code: 404, text: '404 page not found\n' },
    ],
  },
];

export const customResourceDefinitions: Topic = {
  name: 'custom resource definitions',
  checks: [...life, ...versions, ...refused, ...storage],
};
