// What is rolled out in the benchmark: one parent, a number of children that carry its version, and a definition with the
// update strategy in question. Definition and parent are files apart, as the parent's version is what changes.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crd, RESOURCES } from './project.ts';

export interface RolloutShape {
  readonly method: 'RollingInPlace' | 'RollingRecreate';
  /** Pods are Ready before the next one moves; ConfigMaps have nothing to report. */
  readonly kind: 'ConfigMap' | 'Pod';
  readonly children: number;
}

export interface RolloutFiles {
  readonly namespace: string;
  readonly definition: string;
  /** The same with a hook that writes a line into `hookLog` for each call. */
  readonly countedDefinition: string;
  readonly hookLog: string;
  /** CRDs and namespace. */
  readonly inputs: string;
  readonly parent: string;
  /** What the next apply rolls out. */
  release(version: number): void;
}

const REVISIONS = join(import.meta.dirname, '../deploy/crds/controllerrevisions.yaml');

export function writeRollout(directory: string, namespace: string, shape: RolloutShape): RolloutFiles {
  const path = (...parts: string[]): string => join(directory, ...parts);
  const write = (name: string, content: object): void => writeFileSync(path(name), JSON.stringify(content));
  for (const part of ['definition', 'counted', 'inputs']) mkdirSync(path(part), { recursive: true });
  const hookLog = path('hook-calls');
  writeFileSync(path('definition', 'hook.mjs'), HOOK);
  writeFileSync(path('counted', 'hook.mjs'), countedHook(hookLog));
  for (const part of ['definition', 'counted']) write(join(part, 'controller.json'), controller(shape));
  write(join('inputs', 'crd.json'), crd());
  cpSync(REVISIONS, path('inputs', 'revisions.yaml'));
  write(join('inputs', 'namespace.json'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  return {
    namespace,
    definition: path('definition', 'controller.json'),
    countedDefinition: path('counted', 'controller.json'),
    hookLog,
    inputs: path('inputs'),
    parent: path('parent.json'),
    release: (version) => write('parent.json', parent(namespace, shape, version)),
  };
}

function parent(namespace: string, { kind, children }: RolloutShape, version: number): object {
  return {
    apiVersion: RESOURCES.apiVersion,
    kind: 'Box',
    metadata: { name: 'box', namespace },
    spec: { kind, children, version, selector: { matchLabels: { box: 'box' } } },
  };
}

function controller({ method, kind }: RolloutShape): object {
  const statusChecks = { conditions: [{ type: 'Ready', status: 'True' }] };
  const updateStrategy = { method, ...(kind === 'Pod' ? { statusChecks } : {}) };
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'boxes' },
    spec: {
      parentResource: { ...RESOURCES, revisionHistory: { fieldPaths: ['spec.version'] } },
      childResources: [{ apiVersion: 'v1', resource: kind === 'Pod' ? 'pods' : 'configmaps', updateStrategy }],
      hooks: { sync: { module: { path: './hook.mjs' } } },
    },
  };
}

const HOOK = `
export function sync({ parent }) {
  const { kind, children, version } = parent.spec;
  const content = kind === 'Pod'
    ? { spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'nginx:1.' + version }] } }
    : { data: { version: String(version), text: 'x'.repeat(500) } };
  const child = (index) => ({ apiVersion: 'v1', kind, metadata: { name: 'box-' + index, labels: { box: 'box' } }, ...content });
  return { status: { asked: children }, children: Array.from({ length: children }, (_, index) => child(index)) };
}
`;

const countedHook = (log: string): string =>
  `import { appendFileSync } from 'node:fs';\n${HOOK.replace('{ parent }) {', `{ parent }) {\n  appendFileSync(${JSON.stringify(log)}, '.');`)}`;
