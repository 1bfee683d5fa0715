// A project whose children are what its parent's spec says, for tests of apply mode server-side on both servers.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { PlanOptions } from '../app/index.ts';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { UpdateMethod } from '../model/definition.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf, isWrite, type Plan } from '../model/plan.ts';
import { apiVersionOf, type ResourceType } from '../model/resource.ts';
import { CONFIG_MAPS } from './objects.ts';
import { ProjectDirectory } from './project-directory.ts';
import type { TestTarget } from './targets.ts';
import { ownersOf } from './tracked.ts';
import { type UseCases, useCases } from './use-cases.ts';

export interface Wanted {
  /** ConfigMaps: name → data. */
  readonly maps?: JsonObject;
  /** Other children, whole but for their labels. */
  readonly others?: readonly JsonObject[];
}

export interface StageOptions {
  readonly apply?: JsonObject;
  readonly method?: UpdateMethod;
  /** Of the core group. */
  readonly childResources?: readonly string[];
}

const HOOK = `
  const { maps = {}, others = [] } = request.parent.spec;
  const children = Object.entries(maps).map(([name, data]) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data,
  }));
  for (const child of [...children, ...others])
    child.metadata = { ...child.metadata, labels: { app: 'thing', ...child.metadata.labels } };
  return { status: { children: children.length }, children: [...children, ...others] };
`;

export interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  readonly client: ClusterClient;
  readonly namespace: string;
  /** API group of the parent. */
  readonly group: string;
  want(wanted: Wanted): Promise<void>;
  /** Of the children, as the plan has it: "update a: hook_returned", "no blocked a: conflict". */
  planned(more?: Partial<PlanOptions>): Promise<readonly string[]>;
  get(name: string, type?: ResourceType): Promise<KubeObject>;
  /** Somebody else creates, or changes, an object. */
  create(object: KubeObject, manager?: string): Promise<KubeObject>;
  change(name: string, change: (object: KubeObject) => KubeObject, by?: Editor): Promise<void>;
}

interface Editor {
  readonly type?: ResourceType;
  readonly manager?: string;
}

let counter = 0;

export async function serverSideStage(target: TestTarget, wanted: Wanted, options: StageOptions = {}): Promise<Stage> {
  const { apply = { mode: 'server-side' }, method = 'InPlace', childResources = ['configmaps'] } = options;
  const namespace = await target.namespace();
  const group = `server-side-${++counter}-${process.pid}-${target.kind}.example.com`;
  const project = await ProjectDirectory.create({
    ...{ group, namespace, hook: HOOK, method, childResources, spec: { ...wanted } },
    controllerSpec: { apply },
  });
  after(() => project.remove());
  const client = createClient(target.transport);
  const cases = useCases({ cluster: target.choice, paths: [project.path], namespace });
  const get = async (name: string, type = CONFIG_MAPS): Promise<KubeObject> => {
    const object = await client.get(type, name, namespace);
    assert.ok(object, `${name} is there`);
    return object;
  };
  return {
    ...cases,
    project,
    client,
    namespace,
    group,
    get,
    want: (now) => project.parent({ ...now }),
    planned: async (more = {}) => outline((await cases.plan(more)).plan, childResources),
    create: async (object, manager = 'someone') => {
      const type = { ...CONFIG_MAPS, kind: object.kind, resource: `${object.kind.toLowerCase()}s` };
      const placed = { ...object, metadata: { ...object.metadata, namespace } };
      const made = await client.write({ verb: 'create', type, fieldManager: manager, object: placed });
      assert.ok(made);
      return made;
    },
    change: async (name, change, { type = CONFIG_MAPS, manager = 'someone' } = {}) => {
      await client.write({ verb: 'update', type, fieldManager: manager, object: change(await get(name, type)) });
    },
  };
}

function outline(plan: Plan | undefined, resources: readonly string[]): readonly string[] {
  if (!plan) return ['no plan'];
  const ofChildren = changesOf(plan).filter(({ type, controller }) => controller && resources.includes(type.resource));
  return ofChildren.map(
    (change) => `${isWrite(change) ? '' : 'no '}${change.action} ${change.object.name}: ${change.reasons}`,
  );
}

/** Whose are which fields, sorted, in a short form: the parent's UID is left out. */
export const owners = (object: KubeObject): readonly string[] =>
  ownersOf(object).map((entry) => {
    const [who = '', paths = ''] = entry.replace(/(ownerReferences)\[\{"uid":"[^"]*"\}\]/, '$1').split(': ');
    return `${who}: ${paths.split(' ').sort().join(' ')}`;
  });

/** What is applied to every child beside what its test says. */
export const ALWAYS = 'metadata.labels.app metadata.ownerReferences';

export const withData =
  (data: JsonObject) =>
  (object: KubeObject): KubeObject => ({ ...object, data: { ...(object['data'] as JsonObject), ...data } });

export const withSpec =
  (spec: JsonObject) =>
  (object: KubeObject): KubeObject => ({ ...object, spec: { ...(object['spec'] as JsonObject), ...spec } });

export const typeNamed = (kind: string, subresources: readonly string[] = []): ResourceType => {
  const type = { ...CONFIG_MAPS, kind, resource: `${kind.toLowerCase()}s`, subresources };
  assert.equal(apiVersionOf(type), 'v1');
  return type;
};
