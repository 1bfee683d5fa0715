import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import { ACTIONS, FIDELITIES, REASONS, RESULTS, WAVES } from '../../model/vocabulary.ts';
import { GoldenDirectory } from '../../testing/golden.ts';
import { planOfEverything, planOfNothing, planOfServerSide, planOfTwoSteps } from '../../testing/plan-examples.ts';
import { deepFreeze } from '../../testing/random-json.ts';
import { planSchema, planToJson } from '../index.ts';

const golden = new GoldenDirectory('render/json');
after(() => golden.expectNoOrphans());

const SCHEMA_FILE = join(import.meta.dirname, '..', '..', '..', 'docs', 'formats', 'plan.v1.json');
const schemaText = `${JSON.stringify(planSchema(), undefined, 2)}\n`;

test('plan.v1.json is the schema that the code holds', () => {
  if (process.env['METACTL_UPDATE_GOLDEN']) writeFileSync(SCHEMA_FILE, schemaText);
  assert.equal(readFileSync(SCHEMA_FILE, 'utf8'), schemaText, 'npm run test:update writes it');
});

const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(JSON.parse(schemaText));

for (const [name, make] of Object.entries({
  'everything.json': planOfEverything,
  'two-steps.json': planOfTwoSteps,
  'server-side.json': planOfServerSide,
  'nothing.json': planOfNothing,
})) {
  test(`JSON plan: ${name} as read, valid, without Secret values, the same each time`, () => {
    const text = `${stringifyJson(planToJson(deepFreeze(make())), 2)}\n`;
    golden.expect(name, text);
    assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors?.slice(0, 3)));
    assert.ok(!/canary|Y2FuYXJ5/.test(text), 'a Secret value shows');
    assert.equal(text, `${stringifyJson(planToJson(make()), 2)}\n`);
  });
}

test('JSON plan: the schema refuses words outside the closed lists', () => {
  const text = stringifyJson(planToJson(planOfTwoSteps()));
  assert.equal(validate(JSON.parse(text)), true);
  assert.equal(validate(JSON.parse(text.replace('"action":"update"', '"action":"explode"'))), false);
});

test('JSON plan: the closed lists of the schema file are those of the vocabulary', () => {
  const lists = enumsIn(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'))).map((list) => JSON.stringify(list));
  for (const words of [ACTIONS, REASONS, WAVES, FIDELITIES, RESULTS])
    assert.ok(lists.includes(JSON.stringify(words)), `${words}`);
});

function enumsIn(value: JsonValue): JsonValue[] {
  if (isJsonArray(value)) return value.flatMap(enumsIn);
  if (!isJsonObject(value)) return [];
  const own = value['enum'];
  return [
    ...(own === undefined ? [] : [own]),
    ...Object.values(value as Required<JsonObject>).flatMap((inner) => enumsIn(inner ?? null)),
  ];
}

test('JSON plan: every action of the vocabulary stands in the example and in the summary', () => {
  const plan = planToJson(planOfEverything());
  assert.deepEqual(Object.keys(plan['summary'] as JsonObject), [...ACTIONS, 'unchanged']);
  for (const action of ACTIONS) assert.notEqual((plan['summary'] as JsonObject)[action], 0, action);
});

test('JSON plan: what is known only after apply is told by its place', () => {
  const text = stringifyJson(planToJson(planOfEverything()));
  assert.match(
    text,
    /"afterUnknown":\[\{"path":"metadata\.ownerReferences\[0\]\.uid","pathElements":\["metadata","ownerReferences",0,"uid"\]\}\]/,
  );
});
