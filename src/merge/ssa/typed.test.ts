// The typed operations against the Go library's answers, read in place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import type { MergeSchema, TypeRef } from '../../schema/index.ts';
import { recordedSchema, recordedType, recordings } from '../../testing/smd-recordings.ts';
import { compareTyped } from './compare-typed.ts';
import type { FieldSet } from './field-set.ts';
import { fieldsV1Of, parseFieldsV1 } from './fields-v1.ts';
import { mergeTyped } from './merge-typed.ts';
import { reconcileSet } from './reconcile-set.ts';
import { extractItems, removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { problemText, validateTyped } from './validate.ts';

interface Case {
  readonly schema: string;
  readonly typeRef: JsonObject;
  readonly error?: string | null;
  readonly [field: string]: JsonValue | undefined;
}

// Go goes through maps at random and stops at the first key that is not declared: which one it names is chance.
const anyKey = (message: string): string => message.replace(/\.\w+: field not declared/, '.KEY: field not declared');

interface Typed {
  readonly schema: MergeSchema;
  readonly type: TypeRef;
}

const file = recordings('smd-typed.json');
const json = (set: FieldSet): JsonObject => fieldsV1Of({ ...set });
const value = (recorded: Case, name: string): JsonValue => recorded[name] ?? null;
const fields = (recorded: Case, name: string): FieldSet => parseFieldsV1(recorded[name]);

// The recordings' objects came from YAML, whose maps Go shows with another type than those from JSON.
const fromJson = (message: string): string =>
  message.replaceAll('map[interface {}]interface {}', 'map[string]interface {}');

const operations: Readonly<Record<string, (recorded: Case, typed: Typed) => void>> = {
  validate(recorded, typed) {
    const problems = validateTyped(value(recorded, 'value'), {
      ...typed,
      allowDuplicates: recorded['duplicates'] === true,
    });
    const want = recorded.error ? fromJson(recorded.error).trim() : undefined;
    assert.equal(problems.length === 0 ? undefined : anyKey(problemText(problems)), want && anyKey(want));
  },
  toFieldSet(recorded, { schema, type }) {
    assert.deepEqual(json(toFieldSet(value(recorded, 'value'), schema, type)), recorded['out']);
  },
  merge(recorded, typed) {
    const merged = mergeTyped(value(recorded, 'lhs'), value(recorded, 'rhs'), typed);
    assert.ok('value' in merged);
    assert.deepEqual(merged.value ?? null, recorded['out']);
  },
  compare(recorded, typed) {
    const found = compareTyped(value(recorded, 'lhs'), value(recorded, 'rhs'), typed);
    for (const word of ['added', 'modified', 'removed'] as const)
      assert.deepEqual(json(found[word]), recorded[word], word);
  },
  removeItems(recorded, typed) {
    assert.deepEqual(removeItems(value(recorded, 'value'), fields(recorded, 'items'), typed), recorded['out']);
  },
  extractItems(recorded, typed) {
    const withKeys = recorded['appendKeyFields'] === true;
    assert.deepEqual(
      extractItems(value(recorded, 'value'), fields(recorded, 'items'), { ...typed, withKeys }),
      recorded['out'],
    );
  },
  reconcileFieldSet(recorded, { schema, type }) {
    const before = fields(recorded, 'fields');
    const after = reconcileSet(before, schema, type);
    assert.deepEqual(after === before ? null : json(after), recorded['out']);
  },
};

for (const [name, check] of Object.entries(operations))
  test(`${name} as the Go library does it`, { skip: file.skip }, () => {
    const { schemas, cases } = file.read() as unknown as {
      schemas: Record<string, JsonObject>;
      cases: Record<string, readonly Case[]>;
    };
    for (const [index, recorded] of (cases[name] ?? []).entries()) {
      const schema = recordedSchema(schemas[recorded.schema] ?? {});
      try {
        check(recorded, { schema, type: recordedType(recorded.typeRef) });
      } catch (error) {
        throw new Error(`${name} ${index}: ${JSON.stringify(recorded)}`, { cause: error });
      }
    }
  });
