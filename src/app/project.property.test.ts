// project(view, change) foretells what the server holds after the write: held to both servers over thousands of random
// changes to config maps, custom resources with and without the status subresource. The seed is printed on failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import { cloneJson, type JsonValue, type MutableJsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Verb } from '../model/plan.ts';
import { refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import { project } from '../plan/index.ts';
import { CONFIG_MAPS, WIDGETS, widget } from '../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { until } from '../testing/until.ts';

/** mulberry32: small, seeded, good enough to pick cases. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;
const NAMES = ['a', 'b', 'c', 'd'];
const WORDS = ['x', 'y', 'z'];
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

function randomMap(random: Random): Record<string, string> {
  return Object.fromEntries(WORDS.filter(() => random(2) === 0).map((word) => [word, String(random(3))]));
}

function randomBody(type: ResourceType, random: Random): MutableJsonObject {
  if (type.group === '') return { data: randomMap(random) };
  const withStatus = random(3) === 0 ? { status: { n: random(3) } } : {};
  return { spec: { map: randomMap(random), list: [random(3)] }, ...withStatus };
}

function creation(type: ResourceType, place: { name: string; namespace: string }, random: Random): KubeObject {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const finalizers = random(4) === 0 ? { finalizers: ['metactl.dev/test'] } : {};
  return {
    apiVersion,
    kind: type.kind,
    metadata: { ...place, labels: randomMap(random), ...finalizers },
    ...randomBody(type, random),
  };
}

function edited(type: ResourceType, before: KubeObject, random: Random): KubeObject {
  const metadata: MutableJsonObject = { ...before.metadata };
  const kind = random(5);
  if (kind === 0) metadata['labels'] = randomMap(random);
  if (kind === 1) metadata['annotations'] = randomMap(random);
  // New finalizers are refused on an object that is being deleted, so there they are only ever taken off.
  if (kind === 2) metadata['finalizers'] = before.metadata.deletionTimestamp || random(2) ? [] : ['metactl.dev/test'];
  const body = kind > 2 ? randomBody(type, random) : {};
  return { ...cloneJson(before), ...body, metadata } as KubeObject;
}

function randomChange(
  type: ResourceType,
  live: KubeObject | undefined,
  name: string,
  context: { namespace: string; random: Random },
): Change {
  const { namespace, random } = context;
  if (!live) return changeOf(type, 'create', { after: creation(type, { name, namespace }, random) });
  const choice = random(8);
  if (choice < 2) return changeOf(type, 'delete', { before: live });
  if (choice < 4 && type.subresources.includes('status')) {
    const after = { ...live, status: { n: random(3) }, spec: { ignored: true } } as KubeObject;
    return { ...changeOf(type, 'update', { before: live, after }), subresource: 'status' };
  }
  return changeOf(type, 'update', { before: live, after: edited(type, live, random) });
}

function changeOf(type: ResourceType, verb: Verb, objects: { before?: KubeObject; after?: KubeObject }): Change {
  const subject = objects.before ?? objects.after;
  assert.ok(subject);
  return {
    id: 'random',
    action: verb,
    reasons: [],
    object: refOf(subject),
    type,
    actor: 'metactl',
    step: 1,
    wave: 'children',
    verb,
    fieldManager: 'metactl',
    force: false,
    guards: [],
    dependsOn: [],
    destructive: 'no',
    ...objects,
    fields: [],
    fidelity: { level: 'client' },
  };
}

async function send(client: ClusterClient, { type, verb, after, object, subresource }: Change): Promise<void> {
  const base = { type, fieldManager: 'test' };
  if (verb === 'delete')
    await client.write({ ...base, verb: 'delete', name: object.name, namespace: object.namespace ?? '' });
  else if (after && verb === 'create') await client.write({ ...base, verb: 'create', object: after });
  else if (after)
    await client.write({ ...base, verb: 'update', object: after, ...(subresource ? { subresource } : {}) });
}

/** The object in the view after the change. */
function foretell(type: ResourceType, live: KubeObject | undefined, change: Change): KubeObject | undefined {
  const children = [{ type, objects: live ? [live] : [] }];
  return project({ parent: widget(), parentType: WIDGETS, parentLive: true, children }, change).children[0]?.objects[0];
}

/** What only the server can give, taken off both sides; empty maps and lists are as good as none. */
function comparable(object: KubeObject | undefined): JsonValue {
  if (!object) return 'gone';
  const metadata: MutableJsonObject = { ...cloneJson(object.metadata) } as MutableJsonObject;
  for (const key of ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields']) delete metadata[key];
  if (metadata['deletionTimestamp'] !== undefined) metadata['deletionTimestamp'] = 'set';
  for (const key of ['labels', 'annotations', 'finalizers'])
    if (Object.keys((metadata[key] as object | undefined) ?? {}).length === 0) delete metadata[key];
  const data = object['data'] as object | undefined;
  const { data: _data, ...rest } = object;
  return { ...rest, ...(data && Object.keys(data).length > 0 ? { data: data as JsonValue } : {}), metadata };
}

async function serveCrds(client: ClusterClient, group: string): Promise<ResourceType[]> {
  const crds = await client.byResource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  assert.ok(crds);
  const types: ResourceType[] = [];
  for (const kind of ['WithStatus', 'WithoutStatus']) {
    const plural = `${kind.toLowerCase()}es`;
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
    const subresources = kind === 'WithStatus' ? { subresources: { status: {} } } : {};
    const spec = {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, ...subresources }],
    };
    const object = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec,
    };
    await client.write({ verb: 'create', type: crds, fieldManager: 'test', object });
    types.push(await served(client, `${group}/v1`, plural));
  }
  return types;
}

const served = (client: ClusterClient, apiVersion: string, plural: string): Promise<ResourceType> =>
  until(`${plural} of ${apiVersion} are served`, () => {
    client.refresh();
    return client.byResource(apiVersion, plural);
  });

async function walk(client: ClusterClient, target: TestTarget, rounds: number): Promise<void> {
  const seed = Number(process.env['METACTL_SEED'] ?? 20261121);
  const random = randomOf(seed);
  const namespace = await target.namespace();
  const types = [CONFIG_MAPS, ...(await serveCrds(client, `project-${target.kind}.example.com`))];
  for (let round = 0; round < rounds; round++) {
    const type = pick(random, types);
    const name = pick(random, NAMES);
    const live = await client.get(type, name, namespace);
    const change = randomChange(type, live, name, { namespace, random });
    const foretold = comparable(foretell(type, live, change));
    await send(client, change);
    const held = comparable(await client.get(type, name, namespace));
    const told = {
      seed,
      round,
      what: `${change.verb} ${change.subresource ?? ''} ${type.kind} ${name}`,
      before: live ?? null,
      sent: change.after ?? null,
    };
    assert.deepEqual(foretold, held, JSON.stringify(told));
  }
}

forEachTarget('project agrees with the server', (target) => {
  test(`thousands of random changes on the ${target.kind} server`, async () => {
    const client = createClient(target.transport);
    await walk(client, target, target.kind === 'real' ? 1_500 : 4_000);
  });
});
