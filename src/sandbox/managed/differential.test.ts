// The sandbox beside the real server: random sequences of creates, puts, the four kinds of patches, status and scale by
// several managers, forced and not; after each step object, managedFields, conflicts and whether anything was written must
// be the same. A difference is shortened before it is shown. The real server is one without controllers, which would write
// between two steps.
//
// METACTL_SEED: the first sequence (each one has a seed of its own). METACTL_DIFFERENTIAL: how many operations in all
// (default 400: some seconds). METACTL_KIND: only this kind.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connect } from '../../cluster/index.ts';
import { type JsonObject, stringifyJson } from '../../kit/json.ts';
import type { Transport } from '../../ports/transport.ts';
import { firstDifference, type Place } from '../../testing/differential/compare.ts';
import { DEFINITIONS } from '../../testing/differential/definitions.ts';
import { BUILT_INS, CUSTOM, type DifferentialKind, GROUP } from '../../testing/differential/kinds.ts';
import { type Operation, randomSequence } from '../../testing/differential/operations.ts';
import { shrink } from '../../testing/differential/shrink.ts';
import { quietServer } from '../../testing/quiet-server.ts';
import { randomFrom } from '../../testing/random-json.ts';
import { realClock } from '../../testing/real-clock.ts';
import { findRealServer } from '../../testing/real-server.ts';
import { until } from '../../testing/until.ts';
import { createSandbox } from '../index.ts';

const server = findRealServer(process.env);
const skip = server.available ? false : server.reason;
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);
const OPERATIONS = Number(process.env['METACTL_DIFFERENTIAL'] ?? 400);
const LENGTH = 12;
const KINDS = [...BUILT_INS, ...CUSTOM].filter(
  ({ kind }) => !process.env['METACTL_KIND'] || kind === process.env['METACTL_KIND'],
);

const places: Place[] = [];

async function create(transport: Transport, path: string, object: JsonObject): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await transport.request({ method: 'POST', path, headers, body: stringifyJson(object) });
  const text = await response.text();
  assert.ok(response.status === 201 || response.status === 409, text);
}

/** Of the same name on both. */
const namespace = `differential-${randomBytes(3).toString('hex')}`;

async function prepare(transport: Transport): Promise<Place> {
  await create(transport, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const definition of DEFINITIONS)
    await create(transport, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  for (const { resource } of CUSTOM) await served(transport, `/apis/${GROUP}/v1/namespaces/${namespace}/${resource}`);
  return { transport, namespace };
}

async function served(transport: Transport, path: string): Promise<void> {
  await until(`${path} is served`, async () => {
    const response = await transport.request({ method: 'GET', path });
    await response.text();
    return response.status === 200;
  });
}

before(async () => {
  if (!server.available) return;
  const kubeconfig = await quietServer(server.kubeconfig);
  const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
  assert.ok(connection);
  const sandbox = createSandbox({ clock: realClock, workloads: false });
  places.push(await prepare(sandbox.transport), await prepare(connection.transport));
});

after(async () => {
  for (const { transport } of places) await transport.close();
});

let names = 0;

async function run(kind: DifferentialKind, sequence: readonly Operation[]): ReturnType<typeof firstDifference> {
  names += 1;
  return firstDifference(places, kind, sequence, `o${names}-${randomBytes(2).toString('hex')}`);
}

async function explain(kind: DifferentialKind, sequence: readonly Operation[], seed: number): Promise<never> {
  const short = await shrink(sequence, async (candidate) => (await run(kind, candidate)) !== undefined);
  const found = await run(kind, short);
  const steps = short.map((step) => stringifyJson(step)).join('\n');
  assert.deepEqual(found?.outcomes[0], found?.outcomes[1], `METACTL_SEED=${seed} METACTL_KIND=${kind.kind}\n${steps}`);
  assert.fail(`METACTL_SEED=${seed} METACTL_KIND=${kind.kind}: differed once, not again\n${steps}`);
}

const PER_KIND = Math.ceil(OPERATIONS / KINDS.length / LENGTH);

for (const [index, kind] of KINDS.entries())
  test(`${kind.kind}: ${PER_KIND} sequences, METACTL_SEED=${SEED}`, { skip, timeout: 30 * 60_000 }, async () => {
    for (let run_ = 0; run_ < PER_KIND; run_ += 1) {
      const seed = SEED + (process.env['METACTL_KIND'] ? 0 : index * 100_000) + run_;
      const sequence = randomSequence(randomFrom(seed), kind, LENGTH);
      if ((await run(kind, sequence)) !== undefined) await explain(kind, sequence, seed);
    }
  });
