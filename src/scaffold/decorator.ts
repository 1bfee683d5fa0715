// A decorator to begin with: Deployments that ask for it by an annotation get a Service.

import type { Names } from './names.ts';
import type { Template } from './template.ts';

export function decoratorTemplate(names: Names): Template {
  const { name, group } = names;
  const key = `${group}/${name}-port`;
  return {
    purpose: `Each Deployment with the annotation \`${key}\` gets a Service of that port.`,
    spec: `  resources:
    - apiVersion: apps/v1
      resource: deployments
      annotationSelector:
        matchExpressions:
          - { key: ${key}, operator: Exists }
  attachments:
    - apiVersion: v1
      resource: services
      updateStrategy:
        method: InPlace
`,
    hook: 'sync',
    parent: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: my-${name}
  namespace: default
  annotations:
    ${key}: "80"
spec:
  replicas: 1
  selector:
    matchLabels:
      app: my-${name}
  template:
    metadata:
      labels:
        app: my-${name}
    spec:
      containers:
        - name: main
          image: nginx:1.29
`,
    parentIs: 'a Deployment that asks for it',
    code: {
      ts: { 'hook.ts': ts(key), 'hook.test.ts': tsTest(key) },
      js: { 'hook.js': js(key), 'hook.test.js': jsTest(key) },
      python: { 'hook.py': python(key), 'test_hook.py': pythonTest(key) },
      jsonnet: { 'hook.jsonnet': jsonnet(key) },
    },
    next: `Change the annotation in \`parent.yaml\` and plan again: the Service is to be changed.`,
  };
}

const ts = (
  key: string,
): string => `// From a Deployment to a Service of the port that its annotation names. What is not answered stays as it is.

import type { DecoratorHooks, Deployment, Service } from 'metactl';

const PORT = '${key}';

export const { sync } = {
  sync({ object }) {
    const { metadata, spec } = object;
    const port = Number(metadata.annotations?.[PORT]);
    return {
      attachments: [
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: metadata.name },
          spec: { selector: spec?.selector.matchLabels ?? {}, ports: [{ port }] },
        },
      ],
    };
  },
} satisfies DecoratorHooks<Deployment, Service>;
`;

const tsTest = (key: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from 'metactl';
import { sync } from './hook.ts';

const labels = { app: 'a' };
const object: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', annotations: { '${key}': '8080' } },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
};
const controller = { apiVersion: 'v1', kind: 'DecoratorController', metadata: {} };

test('a Service of the port in the annotation', () => {
  const { attachments } = sync({ controller, object, attachments: { 'Service.v1': {} }, related: {}, finalizing: false });
  assert.deepEqual(attachments[0]?.spec, { selector: labels, ports: [{ port: 8080 }] });
});
`;

const js = (
  key: string,
): string => `// From a Deployment to a Service of the port that its annotation names. What is not answered stays as it is.

const PORT = '${key}';

/**
 * @typedef {import('metactl').Deployment} Deployment
 * @typedef {import('metactl').Service} Service
 * @type {(request: import('metactl').DecoratorRequest<Deployment, Service>) => import('metactl').DecoratorResponse<Deployment, Service>}
 */
export function sync({ object }) {
  const { metadata, spec } = object;
  const port = Number(metadata.annotations?.[PORT]);
  return {
    attachments: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: metadata.name },
        spec: { selector: spec?.selector.matchLabels ?? {}, ports: [{ port }] },
      },
    ],
  };
}
`;

const jsTest = (key: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sync } from './hook.js';

const labels = { app: 'a' };
const object = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', annotations: { '${key}': '8080' } },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
};

test('a Service of the port in the annotation', () => {
  const { attachments } = sync({ object, attachments: { 'Service.v1': {} } });
  assert.deepEqual(attachments[0].spec, { selector: labels, ports: [{ port: 8080 }] });
});
`;

const python = (
  key: string,
): string => `"""From a Deployment to a Service of the port that its annotation names: one request as JSON on standard input, one answer
as JSON on standard output. What is not answered stays as it is."""

import json
import sys

PORT = "${key}"


def sync(request):
    deployment = request["object"]
    metadata = deployment["metadata"]
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": metadata["name"]},
        "spec": {
            "selector": deployment["spec"]["selector"]["matchLabels"],
            "ports": [{"port": int(metadata["annotations"][PORT])}],
        },
    }
    return {"attachments": [service]}


if __name__ == "__main__":
    json.dump(sync(json.load(sys.stdin)), sys.stdout)
`;

const pythonTest = (key: string): string => `import unittest

from hook import sync

DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "a", "annotations": {"${key}": "8080"}},
    "spec": {"selector": {"matchLabels": {"app": "a"}}},
}


class Sync(unittest.TestCase):
    def test_a_service_of_the_port_in_the_annotation(self):
        [service] = sync({"object": DEPLOYMENT, "attachments": {"Service.v1": {}}})["attachments"]
        self.assertEqual(service["spec"], {"selector": {"app": "a"}, "ports": [{"port": 8080}]})


if __name__ == "__main__":
    unittest.main()
`;

const jsonnet = (
  key: string,
): string => `// From a Deployment to a Service of the port that its annotation names. What is not answered stays as it is.

local key = '${key}';

function(request)
  local deployment = request.object;
  {
    attachments: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: deployment.metadata.name },
        spec: {
          selector: deployment.spec.selector.matchLabels,
          ports: [{ port: std.parseInt(deployment.metadata.annotations[key]) }],
        },
      },
    ],
  }
`;
