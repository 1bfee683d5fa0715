// Built-in kinds, good and bad: both servers answer what the real one answered when it was recorded (npm run record:golden).
// Where the sandbox is known to answer differently stands in testdata/sandbox/recorded-differences.json with the reason; a
// case that differs unlisted fails, and so does a listed one that no longer differs. Groups about definitions and custom
// resources are replayed in crd/recorded.test.ts.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from '../cluster/index.ts';
import { parseJson, stringifyJson } from '../kit/json.ts';
import type { Transport } from '../ports/transport.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { quietServer } from '../testing/quiet-server.ts';
import { realClock } from '../testing/real-clock.ts';
import { findRealServer } from '../testing/real-server.ts';
import { type Answers, createGroupNamespace, RECORDED_GROUPS, sendGroup } from '../testing/recorded/index.ts';
import { forEachTarget } from '../testing/targets.ts';
import { createSandbox } from './index.ts';

const GROUPS = [
  'access',
  'bad-input',
  'batch',
  'configuration',
  'containers',
  'maps',
  'networking',
  'pods',
  'policies',
  'reading',
  'services',
  'storage',
  'volumes',
  'workloads',
];
const TESTDATA = join(import.meta.dirname, '../../testdata/sandbox');

const read = (path: string): unknown => parseJson(readFileSync(join(TESTDATA, path), 'utf8'));
const differences = read('recorded-differences.json') as Readonly<Record<string, Readonly<Record<string, string>>>>;
/** As they would have come over the wire: whole numbers beyond 2^53 apart. */
const parsed = (answers: Answers): Answers => parseJson(stringifyJson(answers)) as unknown as Answers;

async function quietTransport(): Promise<Transport> {
  const server = findRealServer(process.env);
  const kubeconfig = await quietServer(server.available ? server.kubeconfig : '');
  const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
  assert.ok(connection);
  return connection.transport;
}

forEachTarget('built-in kinds answer as recorded', (target) => {
  const isReal = target.kind === 'real';
  let transport = target.transport;
  // Recorded without controllers: so are both servers here.
  before(async () => {
    transport = isReal
      ? await quietTransport()
      : createSandbox({ clock: new FakeClock(), seed: 1, workloads: false }).transport;
  });
  after(() => transport.close());

  for (const group of RECORDED_GROUPS.filter(({ name }) => GROUPS.includes(name))) {
    test(group.name, async (t) => {
      const namespace = await createGroupNamespace(transport);
      const options = { namespace, unordered: group.unordered };
      const answers = parsed(await sendGroup(transport, group, options));
      const recorded = read(`recorded/${group.name}.json`) as Answers;
      const known = isReal ? {} : (differences[group.name] ?? {});
      for (const { name } of group.cases) {
        await t.test(name, () => {
          const answer = recorded[name];
          assert.ok(answer, 'not recorded yet');
          const reason = known[name];
          if (reason === undefined) assert.deepEqual(answers[name], answer);
          else assert.notDeepEqual(answers[name], answer, `no longer differs (${reason}): take it off the list`);
        });
      }
      const names = new Set(group.cases.map(({ name }) => name));
      const unknown = [...Object.keys(known), ...Object.keys(recorded)].filter((name) => !names.has(name));
      assert.deepEqual(unknown, [], 'listed or recorded, but no case');
    });
  }
});
