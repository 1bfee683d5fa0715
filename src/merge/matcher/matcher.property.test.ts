// The matcher beside forced applies: random sequences of writes on the sandbox (which is compared with the real server in
// sandbox/managed/differential.test.ts); before each apply the matcher is asked, and the answer must say what comes of it.
//
// METACTL_SEED: the first sequence (each one has a seed of its own). METACTL_MATCHER: how many sequences of each kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { storedForm } from '../../plan/stored-form.ts';
import { allSchemas, schemaName } from '../../sandbox/kube-data/index.ts';
import { type KindType, mergeSchemaFromComponents, schemaFromCrd } from '../../schema/index.ts';
import { DEFINITIONS } from '../../testing/differential/definitions.ts';
import { BUILT_INS, CUSTOM, type DifferentialKind } from '../../testing/differential/kinds.ts';
import { type Operation, randomSequence } from '../../testing/differential/operations.ts';
import { randomFrom } from '../../testing/random-json.ts';
import { sandboxBench } from '../../testing/sandbox-bench.ts';
import { type Match, matchApplied } from './matcher.ts';

const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
const SEQUENCES = Number(process.env['METACTL_MATCHER'] ?? 10);
const LENGTH = 14;

const schemas = allSchemas();
const schema = mergeSchemaFromComponents((name) => getOwn(schemas as unknown as JsonObject, name) as JsonObject);

function kindTypeOf({ apiVersion, kind }: DifferentialKind): KindType {
  const definition = DEFINITIONS.find((one) => (one['spec'] as { names: { kind: string } }).names.kind === kind);
  if (definition) {
    const spec = definition['spec'] as { versions: readonly { schema: { openAPIV3Schema: JsonObject } }[] };
    return schemaFromCrd(spec.versions[0]?.schema.openAPIV3Schema, schema);
  }
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { schema, type: { named: schemaName({ group, version, kind }) ?? '' } };
}

const versionOf = (object: JsonObject): JsonValue | undefined =>
  isJsonObject(object['metadata']) ? object['metadata']['resourceVersion'] : undefined;

type Bench = ReturnType<typeof sandboxBench>;

const TYPES = { json: 'json-patch+json', merge: 'merge-patch+json', strategic: 'strategic-merge-patch+json' };

async function sendOperation(bench: Bench, base: string, name: string, operation: Operation): Promise<void> {
  const { method, type, subresource, manager, force, body } = operation;
  const path = method === 'POST' ? base : `${base}/${name}${subresource ? `/${subresource}` : ''}`;
  const whole = isJsonObject(body) && body['kind'] !== undefined;
  const metadata = whole && isJsonObject(body['metadata']) ? body['metadata'] : {};
  const content = type === 'apply' ? 'apply-patch+yaml' : type ? TYPES[type] : 'json';
  await bench.send(
    `${method} ${path}?fieldManager=${manager}${force ? '&force=true' : ''}`,
    whole ? { ...body, metadata: { ...metadata, name } } : body,
    { 'content-type': `application/${content}` },
  );
}

interface Counts extends Record<Match, number> {}

async function compare(bench: Bench, kind: DifferentialKind, seed: number, counts: Counts): Promise<void> {
  const name = `o${seed}`;
  const base = `${kind.apiVersion === 'v1' ? '/api/v1' : `/apis/${kind.apiVersion}`}/namespaces/default/${kind.resource}`;
  const type = kindTypeOf(kind);
  for (const operation of randomSequence(randomFrom(seed), kind, LENGTH)) {
    if (operation.dryRun) continue;
    if (operation.type !== 'apply' || operation.subresource) {
      await sendOperation(bench, base, name, operation);
      continue;
    }
    // Twice: the second time it is as it was applied.
    for (const _time of [1, 2]) {
      const live = await bench.send(`GET ${base}/${name}`);
      const body = operation.body as JsonObject;
      const desired = storedForm({
        ...body,
        metadata: { ...(body['metadata'] as JsonObject), name },
      } as unknown as KubeObject);
      const match =
        live.status === 200
          ? matchApplied({
              desired,
              live: live.body as unknown as KubeObject,
              fieldManager: operation.manager,
              kind: type,
              hasStatus: kind.status !== undefined,
            })
          : undefined;
      bench.clock.advance(2_000);
      await sendOperation(bench, base, name, { ...operation, force: true, body: desired as unknown as JsonObject });
      const after = await bench.send(`GET ${base}/${name}`);
      if (match === undefined || after.status !== 200) continue;
      counts[match] += 1;
      const written = versionOf(live.body) !== versionOf(after.body);
      const refused = !written && match === 'different';
      // A refused apply changes nothing either.
      if (refused && (await isRefused(bench, `${base}/${name}`, operation, desired))) continue;
      const said = `seed ${seed}, ${kind.kind}: said ${match}\n${JSON.stringify(desired)}\n${live.text}`;
      if (match === 'same') assert.ok(!written, said);
      if (match === 'different') assert.ok(written, said);
    }
  }
}

async function isRefused(bench: Bench, path: string, { manager }: Operation, desired: KubeObject): Promise<boolean> {
  const answer = await bench.send(
    `PATCH ${path}?fieldManager=${manager}&force=true`,
    desired as unknown as JsonObject,
    { 'content-type': 'application/apply-patch+yaml' },
  );
  return answer.status >= 400;
}

for (const [index, kind] of [...BUILT_INS, ...CUSTOM].entries())
  test(`${kind.kind}: what the matcher says comes true, METACTL_SEED=${SEED}`, async (t) => {
    const bench = sandboxBench({ workloads: false });
    for (const definition of DEFINITIONS)
      await bench.ok('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const counts: Counts = { same: 0, different: 0, unknown: 0 };
    for (let run = 0; run < SEQUENCES; run += 1) await compare(bench, kind, SEED + index * 100_000 + run, counts);
    assert.ok(counts.same > 0 && counts.different > 0, JSON.stringify(counts));
    t.diagnostic(JSON.stringify(counts));
  });
