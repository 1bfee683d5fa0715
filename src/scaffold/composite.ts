// A composite controller to begin with: a parent with image and replicas, a Deployment, and what is ready of it in the status.

import type { Names } from './names.ts';
import type { Template } from './template.ts';

export function compositeTemplate(names: Names, typeName: string): Template {
  const { kind, name, group, plural } = names;
  return {
    purpose: `For each ${kind} a Deployment; its status says how many pods are ready.`,
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
        - name: Ready
          type: integer
          jsonPath: .status.readyReplicas
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [image]
              properties:
                image:
                  type: string
                  description: What runs, with its tag.
                replicas:
                  type: integer
                  format: int32
                  minimum: 0
                  default: 1
            status:
              type: object
              properties:
                observedGeneration:
                  type: integer
                  format: int64
                readyReplicas:
                  type: integer
                  format: int32
`,
    spec: `  # Children are found by a label with the parent's UID, so the parent needs no selector of its own.
  generateSelector: true
  parentResource:
    apiVersion: ${group}/v1
    resource: ${plural}
  childResources:
    - apiVersion: apps/v1
      resource: deployments
      updateStrategy:
        method: InPlace
`,
    hook: 'sync',
    parent: `apiVersion: ${group}/v1
kind: ${kind}
metadata:
  name: my-${name}
  namespace: default
spec:
  image: nginx:1.29
  replicas: 2
`,
    parentIs: `a ${kind} called \`my-${name}\``,
    code: {
      ts: { 'hook.ts': ts(kind, typeName), 'hook.test.ts': tsTest(names, typeName) },
      js: { 'hook.js': js(kind), 'hook.test.js': jsTest(names) },
      python: { 'hook.py': python(kind), 'test_hook.py': pythonTest(names) },
      jsonnet: { 'hook.jsonnet': jsonnet(kind) },
    },
    next: 'Change `replicas` in `parent.yaml` and plan again: the Deployment is to be changed.',
  };
}

const ts = (
  kind: string,
  typeName: string,
): string => `// From a ${kind} to its Deployment. Called with what is there, answers what shall be there; metactl does the rest.

import type { CompositeHooks, Deployment, Desired } from 'metactl';
import type { ${typeName} as Parent } from './types.ts';

export const { sync } = {
  sync({ parent, children }) {
    const observed = children['Deployment.apps/v1'][parent.metadata.name];
    return {
      status: { readyReplicas: observed?.status?.readyReplicas ?? 0 },
      children: [deployment(parent)],
    };
  },
} satisfies CompositeHooks<Parent, Deployment>;

function deployment({ metadata, spec }: Parent): Desired<Deployment> {
  const labels = { app: metadata.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: metadata.name, labels },
    spec: {
      replicas: spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: spec.image }] },
      },
    },
  };
}
`;

const tsTest = ({ group, kind }: Names, typeName: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sync } from './hook.ts';
import type { ${typeName} as Parent } from './types.ts';

const parent: Parent = {
  apiVersion: '${group}/v1',
  kind: '${kind}',
  metadata: { name: 'a' },
  spec: { image: 'nginx:1.29', replicas: 2 },
};
const controller = { apiVersion: 'v1', kind: 'CompositeController', metadata: {} };
const request = { controller, parent, children: { 'Deployment.apps/v1': {} }, related: {}, finalizing: false };

test('a Deployment with the image and the replicas of its parent', () => {
  const { children, status } = sync(request);
  assert.equal(children[0]?.spec?.replicas, 2);
  assert.equal(children[0]?.spec?.template.spec?.containers[0]?.image, 'nginx:1.29');
  assert.deepEqual(status, { readyReplicas: 0 });
});
`;

const js = (
  kind: string,
): string => `// From a ${kind} to its Deployment. Called with what is there, answers what shall be there; metactl does the rest.

/** @type {(request: import('metactl').CompositeRequest<any, import('metactl').Deployment>) => import('metactl').CompositeResponse} */
export function sync({ parent, children }) {
  const observed = children['Deployment.apps/v1'][parent.metadata.name];
  return {
    status: { readyReplicas: observed?.status?.readyReplicas ?? 0 },
    children: [deployment(parent)],
  };
}

/**
 * @param {any} parent
 * @returns {import('metactl').Desired<import('metactl').Deployment>}
 */
function deployment({ metadata, spec }) {
  const labels = { app: metadata.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: metadata.name, labels },
    spec: {
      replicas: spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: spec.image }] },
      },
    },
  };
}
`;

const jsTest = ({ group, kind }: Names): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sync } from './hook.js';

const parent = {
  apiVersion: '${group}/v1',
  kind: '${kind}',
  metadata: { name: 'a' },
  spec: { image: 'nginx:1.29', replicas: 2 },
};

test('a Deployment with the image and the replicas of its parent', () => {
  const { children, status } = sync({ parent, children: { 'Deployment.apps/v1': {} } });
  assert.equal(children[0].spec.replicas, 2);
  assert.equal(children[0].spec.template.spec.containers[0].image, 'nginx:1.29');
  assert.deepEqual(status, { readyReplicas: 0 });
});
`;

const python = (
  kind: string,
): string => `"""From a ${kind} to its Deployment: one request as JSON on standard input, one answer as JSON on standard output."""

import json
import sys


def sync(request):
    parent = request["parent"]
    observed = request["children"]["Deployment.apps/v1"].get(parent["metadata"]["name"], {})
    return {
        "status": {"readyReplicas": observed.get("status", {}).get("readyReplicas", 0)},
        "children": [deployment(parent)],
    }


def deployment(parent):
    name = parent["metadata"]["name"]
    spec = parent["spec"]
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "replicas": spec.get("replicas", 1),
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": spec["image"]}]},
            },
        },
    }


if __name__ == "__main__":
    json.dump(sync(json.load(sys.stdin)), sys.stdout)
`;

const pythonTest = ({ group, kind }: Names): string => `import unittest

from hook import sync

PARENT = {
    "apiVersion": "${group}/v1",
    "kind": "${kind}",
    "metadata": {"name": "a"},
    "spec": {"image": "nginx:1.29", "replicas": 2},
}


class Sync(unittest.TestCase):
    def test_a_deployment_with_image_and_replicas_of_its_parent(self):
        answer = sync({"parent": PARENT, "children": {"Deployment.apps/v1": {}}})
        spec = answer["children"][0]["spec"]
        self.assertEqual(spec["replicas"], 2)
        self.assertEqual(spec["template"]["spec"]["containers"][0]["image"], "nginx:1.29")
        self.assertEqual(answer["status"], {"readyReplicas": 0})


if __name__ == "__main__":
    unittest.main()
`;

const jsonnet = (
  kind: string,
): string => `// From a ${kind} to its Deployment: a function from what is there to what shall be there.

local deployment(parent) =
  local labels = { app: parent.metadata.name };
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: parent.metadata.name, labels: labels },
    spec: {
      replicas: std.get(parent.spec, 'replicas', 1),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: labels },
        spec: { containers: [{ name: 'main', image: parent.spec.image }] },
      },
    },
  };

function(request)
  local observed = std.get(request.children['Deployment.apps/v1'], request.parent.metadata.name, {});
  {
    status: { readyReplicas: std.get(std.get(observed, 'status', {}), 'readyReplicas', 0) },
    children: [deployment(request.parent)],
  }
`;
