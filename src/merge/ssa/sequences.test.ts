// Sequences of applies and updates against the Go library's answers, read in place: object, managers and conflicts after
// each step. Converters between versions are those of the recordings, written anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, type MutableJsonObject } from '../../kit/json.ts';
import type { MergeSchema } from '../../schema/index.ts';
import { recordedSchema, recordedType, recordings } from '../../testing/smd-recordings.ts';
import { applyConfig } from './apply-config.ts';
import { type FieldSet, leavesOf, setOfPaths } from './field-set.ts';
import { fieldsV1Of, parseFieldsV1 } from './fields-v1.ts';
import { type Convert, type Managers, type Rules, type TypedObject, updateManagers } from './managers.ts';
import { showPath } from './path-element.ts';
import { extractItems } from './remove-items.ts';
import { problemText, validateTyped } from './validate.ts';

interface Parser {
  readonly kind?: 'same' | 'typeByVersion';
  readonly schema: string;
  readonly typeRef?: JsonObject;
}

interface Step {
  readonly op: 'apply' | 'forceApply' | 'extractApply' | 'update' | 'changeParser';
  readonly apiVersion?: string;
  readonly manager: string;
  readonly object: JsonValue;
  readonly live?: JsonValue;
  readonly managers?: JsonObject;
  readonly conflicts?: readonly (string | { readonly manager: string; readonly path: string })[];
  readonly error?: string;
  readonly parser?: Parser;
}

interface Case {
  readonly name: string;
  readonly type?: string;
  readonly parser?: Parser;
  readonly converter?: string;
  readonly ignoreFilter?: JsonObject;
  readonly ignoredFields?: JsonObject;
  readonly ops: readonly Step[];
}

interface Recording {
  readonly schemas?: Readonly<Record<string, JsonObject>>;
  readonly cases: readonly Case[];
}

type Made = (parser: Parser, version: string, value: JsonValue) => TypedObject;

/** Fields that end in their version's name are called by the other version's name after a conversion. */
function renamed(value: JsonValue, from: string, to: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => renamed(item, from, to));
  if (!isJsonObject(value)) return value;
  const out: MutableJsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const name = key.endsWith(from) ? key.slice(0, key.length - from.length) + to : key;
    out[name] = renamed(item ?? null, from, to);
  }
  return out;
}

/** The first letter of each key below the first level is repeated as often as the version's number says. */
function repeatedKeys(value: JsonValue, times: number, depth = 0): JsonValue {
  if (!isJsonObject(value)) return value;
  const out: MutableJsonObject = {};
  // Sorted, for of two that become one the last counts.
  for (const [key, item] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    out[depth === 0 ? key : (key[0] ?? '').repeat(times)] = repeatedKeys(item ?? null, times, depth + 1);
  return out;
}

function reliant(object: TypedObject, version: string): JsonValue {
  const text = JSON.stringify(object.value);
  if (version !== 'v1') return JSON.parse(text.replaceAll('field_foo_rely_on_bar', 'required_field_bar')) as JsonValue;
  if (!text.includes('required_field_bar')) throw new Error('missing requried field bar');
  return JSON.parse(text.replaceAll('required_field_bar', 'field_foo_rely_on_bar')) as JsonValue;
}

function converterOf(name: string | undefined, make: (version: string, value: JsonValue) => TypedObject): Convert {
  switch (name?.split('.').at(-1)) {
    case 'renamingConverter':
      return (object, version) => make(version, renamed(object.value, object.type.named ?? '', version));
    case 'repeatingConverter':
      return (object, version) => make(version, repeatedKeys(object.value, Number(version.slice(1))));
    case 'reliantFieldsConverter':
      return (object, version) => (object.type.named === version ? object : make(version, reliant(object, version)));
    default:
      return (object) => object;
  }
}

// Go's type of these is private, and the recordings hold only its name: what the tests named so exclude.
const EXCLUDED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'TestIgnoreFilter/update_does_not_own_ignored': { v1: ['string'] },
  'TestIgnoreFilter/update_does_not_own_deep_ignored': { v1: ['obj'] },
  'TestIgnoreFilter/apply_does_not_own_ignored': { v1: ['string'] },
  'TestIgnoreFilter/apply_does_not_own_deep_ignored': { v1: ['obj'] },
  'TestFilteredFieldsUsesVersions/does_use_ignored_fields_versions': {
    v1: ['mapOfMapsRecursive.c'],
    v2: ['mapOfMapsRecursive.cc'],
    v3: ['mapOfMapsRecursive.ccc'],
    v4: ['mapOfMapsRecursive.cccc'],
  },
  'TestFilteredFieldsUsesVersions/update_does_not_steal_ignored': { v2: ['mapOfMapsRecursive.c'] },
  'TestFilteredFieldsUsesVersions/apply_does_not_steal_ignored': { v2: ['mapOfMapsRecursive.c'] },
};

function ignoredOf({ name, ignoreFilter, ignoredFields }: Case): ReadonlyMap<string, FieldSet> | undefined {
  if (ignoredFields)
    return new Map(Object.entries(ignoredFields).map(([version, fields]) => [version, parseFieldsV1(fields)]));
  if (!ignoreFilter) return undefined;
  const excluded = EXCLUDED[name];
  assert.ok(excluded, `what does ${name} exclude?`);
  const asSet = (paths: readonly string[]) =>
    setOfPaths(paths.map((path) => path.split('.').map((step) => `f:${step}`)));
  return new Map(Object.entries(excluded).map(([version, paths]) => [version, asSet(paths)]));
}

function shownManagers(managers: Managers, withVersion: boolean): JsonObject {
  const shown: MutableJsonObject = {};
  for (const [id, { apiVersion, applied, set }] of managers)
    shown[id] = { ...(withVersion && { apiVersion }), applied, fields: fieldsV1Of({ ...set }) };
  return shown;
}

class State {
  live: TypedObject | undefined;
  managers: Managers = new Map();
  readonly #rules: Rules;
  readonly #isFuzz: boolean;

  constructor(recorded: Case, make: (version: string, value: JsonValue) => TypedObject) {
    const ignored = ignoredOf(recorded);
    this.#isFuzz = recorded.type !== undefined;
    this.#rules = { convert: converterOf(recorded.converter, make), ...(ignored && { ignored }) };
  }

  run(step: Step, make: (value: JsonValue) => TypedObject): void {
    const given = make(step.object);
    const empty = this.#isFuzz ? {} : null;
    const live = this.#rules.convert(this.live ?? make(empty), given.apiVersion) ?? make(empty);
    if (step.op === 'update') {
      this.managers = updateManagers(
        { before: live, after: given, managers: this.managers, manager: step.manager },
        this.#rules,
      );
      this.live = given;
    } else this.#apply(step, live, given);
    this.check(step);
  }

  #apply(step: Step, live: TypedObject, given: TypedObject): void {
    const problems = validateTyped(given.value, given);
    if (step.error !== undefined) {
      assert.equal(problemText(problems), step.error);
      return;
    }
    assert.deepEqual(problems, []);
    const config = step.op === 'extractApply' ? this.#withExtracted(step, live, given) : given;
    const force = step.op === 'forceApply';
    const applied = applyConfig({ live, config, managers: this.managers, manager: step.manager, force }, this.#rules);
    assert.ok(!('message' in applied), JSON.stringify(applied));
    if ('conflicts' in applied) {
      const shown = applied.conflicts.map(({ manager, path }) => `${manager} ${showPath(path)}`);
      const want = step.conflicts?.map((found) =>
        typeof found === 'string' ? found : `${found.manager} ${found.path}`,
      );
      assert.deepEqual(shown.sort(), want?.sort());
      return;
    }
    assert.equal(step.conflicts, undefined, 'a conflict was expected');
    this.managers = applied.managers;
    this.live = applied.object === undefined ? live : { ...live, value: applied.object };
  }

  /** What the manager owns of the live object, with the new configuration laid over it. */
  #withExtracted(step: Step, live: TypedObject, given: TypedObject): TypedObject {
    const own = this.managers.get(step.manager);
    if (own === undefined) return given;
    const held = this.#rules.convert(live, given.apiVersion) ?? live;
    const extracted = extractItems(held.value, leavesOf(own.set), held);
    const base = new Map();
    const laid = applyConfig(
      { live: { ...given, value: extracted }, config: given, managers: base, manager: '', force: true },
      { convert: (object) => object },
    );
    assert.ok('managers' in laid);
    return { ...given, value: laid.object ?? extracted };
  }

  check(step: Step): void {
    if (step.live !== undefined) assert.deepEqual(this.live?.value ?? null, step.live);
    if (step.managers) assert.deepEqual(shownManagers(this.managers, !this.#isFuzz), step.managers);
  }
}

function runCase(recorded: Case, made: Made): void {
  let parser = recorded.parser ?? { schema: '', typeRef: { namedType: recorded.type ?? '' } };
  const state = new State(recorded, (version, value) => made(parser, version, value));
  for (const [index, step] of recorded.ops.entries()) {
    try {
      if (step.op === 'changeParser') {
        parser = step.parser ?? parser;
        if (state.live) state.live = made(parser, state.live.apiVersion, state.live.value);
        state.check(step);
      } else state.run(step, (value) => made(parser, step.apiVersion ?? 'v1', value));
    } catch (error) {
      throw new Error(`${recorded.name}, step ${index}: ${JSON.stringify(step)}`, { cause: error });
    }
  }
}

const FILES = [
  ...['deduced', 'default-keys', 'duplicates', 'extract-apply', 'field-level-overrides', 'ignore', 'key', 'leaf'],
  ...['multiple-appliers', 'nested', 'preserve-unknown', 'schema-change', 'set'],
].map((topic) => `smd-merge-${topic}.json`);
FILES.push('smd-fuzz-configmap.json', 'smd-fuzz-deployment.json');

for (const name of FILES) {
  const file = recordings(name);
  test(`${name}: every step as the Go library does it`, { skip: file.skip }, () => {
    const recording = file.read() as unknown as Recording;
    const schemas = new Map<string, MergeSchema>();
    const schemaOf = (id: string): MergeSchema => {
      const known = schemas.get(id);
      if (known) return known;
      const raw = id === '' ? recordings('smd-k8s-schema.json').read() : recording.schemas?.[id];
      const schema = recordedSchema(isJsonObject(raw) ? raw : {});
      schemas.set(id, schema);
      return schema;
    };
    const made: Made = (parser, apiVersion, value) => ({
      apiVersion,
      value,
      schema: schemaOf(parser.schema),
      type: parser.kind === 'typeByVersion' ? { named: apiVersion } : recordedType(parser.typeRef ?? {}),
    });
    for (const recorded of recording.cases) runCase(recorded, made);
  });
}
