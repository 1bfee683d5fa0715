// Every recorded case of a real server: never "same" where an apply changes something, and never "different", which writes
// without asking, where it does not. `unknown` costs a dry run; how many there are may only shrink.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { storedForm } from '../../plan/stored-form.ts';
import { allSchemas, schemaName } from '../../sandbox/kube-data/index.ts';
import { mergeSchemaFromComponents } from '../../schema/index.ts';
import { recordings } from '../../testing/smd-recordings.ts';
import { type MatchQuestion, matchApplied } from './matcher.ts';

interface Recorded {
  readonly name: string;
  readonly fieldManager: string;
  readonly desired: KubeObject;
  readonly actual: KubeObject;
  readonly expectedMatch: boolean;
}

const { skip, read } = recordings('josdk-ssa-real-server.json');
const MOST_UNKNOWN = 4;

const schemas = allSchemas();
const schema = mergeSchemaFromComponents((name) => schemas[name]);

function questionOf({ desired, actual, fieldManager }: Recorded): MatchQuestion {
  const { apiVersion, kind } = desired;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const type = { named: schemaName({ group, version, kind }) ?? '' };
  const hasStatus = (schemas[type.named]?.['properties'] as JsonObject | undefined)?.['status'] !== undefined;
  return { desired: storedForm(desired), live: actual, fieldManager, kind: { schema, type }, hasStatus };
}

test('what a real server made of applies', { skip }, () => {
  const { cases } = read() as unknown as { readonly cases: readonly Recorded[] };
  assert.ok(cases.length > 200);
  let unknown = 0;
  for (const recorded of cases) {
    const match = matchApplied(questionOf(recorded));
    if (match === 'unknown') unknown++;
    else assert.equal(match, recorded.expectedMatch ? 'same' : 'different', recorded.name);
  }
  assert.ok(unknown <= MOST_UNKNOWN, `${unknown} are unknown`);
});
