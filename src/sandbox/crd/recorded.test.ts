// Definitions and custom resources, good and bad: both servers answer what the real one answered when it was recorded
// (npm run record:golden crds crd-updates custom-values custom-updates custom-versions rules).

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseJson, stringifyJson } from '../../kit/json.ts';
import { type Answers, RECORDED_GROUPS, sendGroup } from '../../testing/recorded/index.ts';
import { forEachTarget } from '../../testing/targets.ts';

const GROUPS = new Set(['crds', 'crd-updates', 'custom-values', 'custom-updates', 'custom-versions', 'rules']);
const TESTDATA = join(import.meta.dirname, '../../../testdata/sandbox');

const read = (path: string): unknown => parseJson(readFileSync(join(TESTDATA, path), 'utf8'));
const differences = existsSync(join(TESTDATA, 'crd-differences.json'))
  ? (read('crd-differences.json') as Readonly<Record<string, Readonly<Record<string, string>>>>)
  : {};

forEachTarget('definitions and custom resources answer as recorded', (target) => {
  for (const group of RECORDED_GROUPS.filter(({ name }) => GROUPS.has(name))) {
    test(group.name, async (t) => {
      const namespace = await target.namespace();
      const recorded = read(`recorded/${group.name}.json`) as Answers;
      const sent = await sendGroup(target.transport, group, { namespace });
      const answers = parseJson(stringifyJson(sent)) as unknown as Answers;
      const known = target.kind === 'sandbox' ? (differences[group.name] ?? {}) : {};
      for (const { name } of group.cases) {
        await t.test(name, () => {
          assert.ok(recorded[name], 'not recorded yet');
          const reason = known[name];
          if (reason === undefined) assert.deepEqual(answers[name], recorded[name]);
          else
            assert.notDeepEqual(answers[name], recorded[name], `no longer differs (${reason}): take it off the list`);
        });
      }
      const strangers = Object.keys(known).filter((name) => !group.cases.some((one) => one.name === name));
      assert.deepEqual(strangers, [], 'listed as different, but no case');
    });
  }
});
