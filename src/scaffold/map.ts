// A map controller to begin with: an Ingress for each Service that the parent selects.

import type { Names } from './names.ts';
import type { Template } from './template.ts';

export function mapTemplate(names: Names, typeName: string): Template {
  const { kind, name, group, plural } = names;
  return {
    purpose: `For each Service that a ${kind} selects an Ingress, which makes it known under the ${kind}'s domain.`,
    crd: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.${group}
spec:
  group: ${group}
  scope: Namespaced
  names:
    kind: ${kind}
    plural: ${plural}
    singular: ${kind.toLowerCase()}
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Services
          type: integer
          jsonPath: .status.inputs.services.total
        - name: Ingresses
          type: integer
          jsonPath: .status.outputs.ingresses.total
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [domain]
              properties:
                domain:
                  type: string
                  description: A Service is known as its name in this domain.
                selector:
                  type: object
                  description: The Services, by their labels. Empty, all in the namespace.
                  properties:
                    matchLabels:
                      type: object
                      additionalProperties:
                        type: string
            status:
              type: object
              description: Written by metactl, which counts inputs and outputs.
              x-kubernetes-preserve-unknown-fields: true
`,
    spec: `  parentResource:
    apiVersion: ${group}/v1
    resource: ${plural}
  inputResources:
    - apiVersion: v1
      resource: services
  outputResources:
    - apiVersion: networking.k8s.io/v1
      resource: ingresses
      updateStrategy:
        method: InPlace
`,
    hook: 'map',
    parent: `apiVersion: ${group}/v1
kind: ${kind}
metadata:
  name: my-${name}
  namespace: default
spec:
  domain: example.com
  selector:
    matchLabels:
      expose: my-${name}
---
apiVersion: v1
kind: Service
metadata:
  name: my-${name}-input
  namespace: default
  labels:
    expose: my-${name}
spec:
  selector:
    app: my-${name}-input
  ports:
    - port: 80
`,
    parentIs: `a ${kind} called \`my-${name}\`, and a Service that it selects`,
    code: {
      ts: { 'hook.ts': ts(typeName), 'hook.test.ts': tsTest(names, typeName) },
      js: { 'hook.js': js(), 'hook.test.js': jsTest(names) },
      python: { 'hook.py': python(), 'test_hook.py': pythonTest(names) },
      jsonnet: { 'hook.jsonnet': jsonnet() },
    },
    next: 'Change `domain` in `parent.yaml` and plan again: the Ingress is to be changed.',
  };
}

const ts = (
  typeName: string,
): string => `// From one Service to its Ingress. Called for each input by itself; what was made of one that is gone is deleted.

import type { Ingress, MapHooks, Service } from 'metactl';
import type { ${typeName} as Parent } from './types.ts';

export const { map } = {
  map({ parent, input }) {
    const { name } = input.metadata;
    const backend = { service: { name, port: { number: input.spec?.ports?.[0]?.port ?? 80 } } };
    return {
      outputs: [
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name },
          spec: {
            rules: [
              {
                host: \`\${name}.\${parent.spec.domain}\`,
                http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
              },
            ],
          },
        },
      ],
    };
  },
} satisfies MapHooks<Parent, Service, Ingress>;
`;

const tsTest = ({ group, kind }: Names, typeName: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from 'metactl';
import { map } from './hook.ts';
import type { ${typeName} as Parent } from './types.ts';

const parent: Parent = {
  apiVersion: '${group}/v1',
  kind: '${kind}',
  metadata: { name: 'a' },
  spec: { domain: 'example.com' },
};
const input: Service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'shop' }, spec: { ports: [{ port: 8080 }] } };
const controller = { apiVersion: 'v1', kind: 'MapController', metadata: {} };

test('an Ingress with the name of its Service', () => {
  const { outputs } = map({ controller, parent, input, mapKey: 'k', outputs: { 'Ingress.networking.k8s.io/v1': {} }, related: {} });
  const [rule] = outputs[0]?.spec.rules ?? [];
  assert.equal(rule?.host, 'shop.example.com');
  assert.equal(rule?.http.paths[0]?.backend.service.port.number, 8080);
});
`;

const js =
  (): string => `// From one Service to its Ingress. Called for each input by itself; what was made of one that is gone is deleted.

/**
 * @typedef {import('metactl').Service} Service
 * @typedef {import('metactl').Ingress} Ingress
 * @type {(request: import('metactl').MapRequest<any, Service, Ingress>) => import('metactl').MapResponse<Ingress>}
 */
export function map({ parent, input }) {
  const { name } = input.metadata;
  const backend = { service: { name, port: { number: input.spec?.ports?.[0]?.port ?? 80 } } };
  return {
    outputs: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name },
        spec: {
          rules: [
            {
              host: \`\${name}.\${parent.spec.domain}\`,
              http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
            },
          ],
        },
      },
    ],
  };
}
`;

const jsTest = ({ group, kind }: Names): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { map } from './hook.js';

const parent = { apiVersion: '${group}/v1', kind: '${kind}', metadata: { name: 'a' }, spec: { domain: 'example.com' } };
const input = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'shop' }, spec: { ports: [{ port: 8080 }] } };

test('an Ingress with the name of its Service', () => {
  const { outputs } = map({ parent, input, mapKey: 'k', outputs: { 'Ingress.networking.k8s.io/v1': {} } });
  const [rule] = outputs[0].spec.rules;
  assert.equal(rule.host, 'shop.example.com');
  assert.equal(rule.http.paths[0].backend.service.port.number, 8080);
});
`;

const python =
  (): string => `"""From one Service to its Ingress: one request as JSON on standard input, one answer as JSON on standard output. Called for each
input by itself; what was made of one that is gone is deleted."""

import json
import sys


def map_input(request):
    service = request["input"]
    name = service["metadata"]["name"]
    port = service["spec"]["ports"][0]["port"]
    backend = {"service": {"name": name, "port": {"number": port}}}
    ingress = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"name": name},
        "spec": {
            "rules": [
                {
                    "host": f'{name}.{request["parent"]["spec"]["domain"]}',
                    "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]},
                }
            ]
        },
    }
    return {"outputs": [ingress]}


if __name__ == "__main__":
    json.dump(map_input(json.load(sys.stdin)), sys.stdout)
`;

const pythonTest = ({ group, kind }: Names): string => `import unittest

from hook import map_input

PARENT = {"apiVersion": "${group}/v1", "kind": "${kind}", "metadata": {"name": "a"}, "spec": {"domain": "example.com"}}
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "shop"}, "spec": {"ports": [{"port": 8080}]}}


class Map(unittest.TestCase):
    def test_an_ingress_with_the_name_of_its_service(self):
        [ingress] = map_input({"parent": PARENT, "input": SERVICE, "mapKey": "k", "outputs": {}})["outputs"]
        [rule] = ingress["spec"]["rules"]
        self.assertEqual(rule["host"], "shop.example.com")
        self.assertEqual(rule["http"]["paths"][0]["backend"]["service"]["port"]["number"], 8080)


if __name__ == "__main__":
    unittest.main()
`;

const jsonnet =
  (): string => `// From one Service to its Ingress. Called for each input by itself; what was made of one that is gone is deleted.

function(request)
  local name = request.input.metadata.name;
  local backend = { service: { name: name, port: { number: request.input.spec.ports[0].port } } };
  {
    outputs: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: name },
        spec: {
          rules: [
            {
              host: '%s.%s' % [name, request.parent.spec.domain],
              http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend }] },
            },
          ],
        },
      },
    ],
  }
`;
