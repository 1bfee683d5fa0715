// What the benchmarks are made of: a CRD, parents that ask for a number of ConfigMaps, and a hook that returns them. All data
// come from a seed; the same seed gives the same bytes.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ResourceType, splitApiVersion } from '../src/model/resource.ts';

/** Of the data in the ConfigMaps. */
export const SEED = 20_261_121;

export interface ProjectOptions {
  readonly directory: string;
  readonly namespace: string;
  readonly parents: number;
  readonly childrenEach: number;
}

export interface BenchProject {
  /** Definition and hook: what a plan of live parents needs. */
  readonly definition: string;
  /** The same with a hook that writes a line into `hookLog` for each call. */
  readonly countedDefinition: string;
  readonly hookLog: string;
  /** CRD, namespace, parents. */
  readonly inputs: string;
  readonly options: ProjectOptions;
}

const GROUP = 'bench.metactl.dev';
export const RESOURCES = { apiVersion: `${GROUP}/v1`, resource: 'boxes' };

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
export const MAPS: ResourceType = {
  ...{ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true },
  verbs: VERBS,
  subresources: [],
};
const { group, version } = splitApiVersion(RESOURCES.apiVersion);
export const BOXES: ResourceType = { ...MAPS, group, version, kind: 'Box', resource: RESOURCES.resource };

export function writeProject(options: ProjectOptions): BenchProject {
  const { directory, namespace } = options;
  const path = (...parts: string[]): string => join(directory, ...parts);
  for (const part of ['definition', 'counted', 'inputs']) mkdirSync(path(part), { recursive: true });
  const hookLog = path('hook-calls');
  writeFileSync(path('definition', 'hook.mjs'), hookText());
  writeFileSync(path('counted', 'hook.mjs'), hookText(hookLog));
  for (const part of ['definition', 'counted'])
    writeFileSync(
      path(part, 'controller.json'),
      JSON.stringify(controllerWith({ module: { path: './hook.mjs' } }), undefined, 2),
    );
  writeFileSync(path('inputs', 'crd.json'), JSON.stringify(crd()));
  const namespaceObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  writeFileSync(path('inputs', 'namespace.json'), JSON.stringify(namespaceObject));
  const parents = { apiVersion: 'v1', kind: 'List', items: parentsOf(options) };
  writeFileSync(path('inputs', 'parents.json'), JSON.stringify(parents));
  return {
    definition: path('definition', 'controller.json'),
    countedDefinition: path('counted', 'controller.json'),
    hookLog,
    inputs: path('inputs'),
    options,
  };
}

function parentsOf({ namespace, parents, childrenEach }: ProjectOptions): object[] {
  return Array.from({ length: parents }, (_, index) => ({
    apiVersion: RESOURCES.apiVersion,
    kind: 'Box',
    metadata: { name: `box-${index}`, namespace },
    spec: {
      children: childrenEach,
      selector: { matchLabels: { box: `box-${index}` } },
    },
  }));
}

/** The ConfigMaps that the hook asks for, without what metactl adds: for the peers. */
export function childrenOf({ namespace, parents, childrenEach }: ProjectOptions): object[] {
  return Array.from({ length: parents }, (_, parent) =>
    Array.from({ length: childrenEach }, (_, child) => configMap({ name: `box-${parent}`, namespace }, child)),
  ).flat();
}

export interface Place {
  readonly name: string;
  readonly namespace: string;
}

/** Also the hook's own text (hookText): it must not use anything from outside. */
export function configMap({ name, namespace }: Place, index: number, seed = SEED): object {
  let state = (seed ^ Math.imul(index + 1, 2_654_435_761)) >>> 0;
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state.toString(36).padStart(7, '0');
  };
  const text = (): string => [word(), word(), word(), word()].join(' ');
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-${index}`, namespace, labels: { box: name } },
    data: { first: text(), second: text(), third: text(), fourth: text() },
  };
}

function hookText(log?: string): string {
  return `${log === undefined ? '' : "import { appendFileSync } from 'node:fs';\n"}${configMap.toString().replace(/seed = SEED/, `seed = ${SEED}`)}
export function sync({ parent }) {
  ${log === undefined ? '' : `appendFileSync(${JSON.stringify(log)}, 'sync\\n');`}
  const { name, namespace } = parent.metadata;
  const children = Array.from({ length: parent.spec.children }, (_, index) => configMap({ name, namespace }, index));
  return { status: { asked: children.length }, children };
}
`;
}

/** `sync`: the hook of the definition. */
export function controllerWith(sync: object): object {
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'boxes' },
    spec: {
      parentResource: RESOURCES,
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync },
    },
  };
}

export function crd(): object {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boxes.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes', singular: 'box', listKind: 'BoxList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}
