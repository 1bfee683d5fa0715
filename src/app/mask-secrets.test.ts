// Hooks that see placeholders instead of Secret values: what they are shown, and what of their answers is ever written.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { maskedWriteOf } from '../apply/index.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, setOwn, stringifyJson } from '../kit/json.ts';
import { MASKED_UNKNOWN } from '../kit/unknown.ts';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../merge/index.ts';
import type { CompositeDefinition } from '../model/definition.ts';
import type { Answer } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, isWrite, type ParentPlan } from '../model/plan.ts';
import { planParent } from '../plan/index.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import {
  CONFIG_MAPS,
  configMap,
  ofWidgets,
  ownedMetadata,
  WIDGETS,
  widget,
  widgetController,
} from '../testing/objects.ts';
import { deepFreeze, pick, withSeeds } from '../testing/random-json.ts';
import { maskSecrets } from './mask-secrets.ts';

const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const PASSWORD = 'hunter2-hunter2';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const labels = { app: 'w' };
type Hook = (request: JsonObject) => JsonValue;

function secret(name: string, values: Record<string, string>): KubeObject {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default', labels }, data };
}

/** As it stands in the cluster after it was applied. */
function stored(object: KubeObject): KubeObject {
  const record = withLastApplied(object, LAST_APPLIED_ANNOTATION);
  return deepFreeze({ ...record, metadata: { ...record.metadata, ...ownedMetadata(object.metadata.name ?? '') } });
}

interface Run {
  readonly plan: ParentPlan;
  readonly changes: readonly Change[];
  /** What the hook was shown. */
  readonly requests: readonly JsonObject[];
}

async function run(hook: Hook, objects: readonly KubeObject[], parent: KubeObject = widget()): Promise<Run> {
  const plain = widgetController();
  const rule = { apiVersion: 'v1', updateMethod: 'InPlace', statusChecks: [] } as const;
  const children = [
    { ...rule, resource: 'configmaps' },
    { ...rule, resource: 'secrets' },
  ];
  const definition: CompositeDefinition = { ...plain, children };
  const groups = [CONFIG_MAPS, SECRETS].map((type) => ({
    type,
    objects: objects.filter(({ kind }) => kind === type.kind),
  }));
  const view = { parent, parentType: WIDGETS, parentLive: true, children: groups };
  const hooks = new FakeHooks(hook);
  const caller = maskSecrets(hooks, 'a key of this run');
  const answers = new Map<string, Answer>();
  for (;;) {
    const planning = planParent(ofWidgets(definition), view, answers, { foresee: true });
    if (planning.kind === 'plan') {
      const requests = hooks.calls.map(({ request }) => request);
      return { plan: planning.plan, changes: changesOfParent(planning.plan), requests };
    }
    for (const need of planning.needs) {
      if (need.kind === 'lookup') answers.set(need.id, { kind: 'lookup', id: need.id, objects: [] });
      if (need.kind === 'hook') answers.set(need.id, await caller.call(need, new AbortController().signal));
    }
  }
}

function childrenOf(request: JsonObject): JsonObject[] {
  const groups = Object.values(request['children'] as JsonObject) as JsonObject[];
  return groups.flatMap((group) => Object.values(group) as JsonObject[]);
}
const shownPassword = (request: JsonObject): string => {
  const data = childrenOf(request).find(({ kind }) => kind === 'Secret')?.['data'] as JsonObject;
  return Buffer.from(String(data['password']), 'base64').toString();
};
const outline = (changes: readonly Change[]): string[] =>
  changes
    .filter(({ action }) => action !== 'status')
    .map(({ action, object, fidelity }) => `${action} ${object.name} ${fidelity.level}`);
const stored1 = stored(secret('s', { password: PASSWORD, short: 'abc' }));

test('without a Secret in the request it goes through as it is, once', async () => {
  const { requests, changes } = await run(() => ({ children: [configMap('a')] }), []);
  assert.equal(requests.length, 1);
  assert.deepEqual(outline(changes), ['create a client']);
});

test('the hook is shown placeholders: valid base64, equal for equal values, others in the second request', async () => {
  const twice = stored(secret('t', { again: PASSWORD }));
  const { requests } = await run(() => ({ children: [] }), [stored1, twice]);
  assert.equal(requests.length, 2);
  const [first, second] = requests.map((request) => childrenOf(request).map(({ data }) => data as JsonObject));
  assert.equal(first?.[0]?.['password'], first?.[1]?.['again']);
  assert.notEqual(first?.[0]?.['password'], second?.[0]?.['password']);
  assert.match(Buffer.from(String(first?.[0]?.['password']), 'base64').toString(), /^metactl-masked-[0-9a-f]{32}$/);
  assert.doesNotMatch(stringifyJson(requests), /hunter2|aHVudGVyMi1odW50ZXIy/);
  assert.doesNotMatch(stringifyJson(requests), new RegExp(base64('abc')));
});

test('what comes back in its place is what stands there: an unchanged Secret stays unchanged', async () => {
  const echo: Hook = (request) => ({ children: childrenOf(request) });
  assert.deepEqual(outline((await run(echo, [stored1])).changes), []);
});

const DEPENDENT: readonly [string, (password: string) => string][] = [
  ['a copy', (password) => password],
  ['a part of a longer text', (password) => `postgres://u:${password}@db/`],
  ['a checksum, in which there is no placeholder to be found', (p) => createHash('sha256').update(p).digest('hex')],
  ['its base64 inside a longer one', (password) => base64(`user:${password}`)],
];
for (const [name, derive] of DEPENDENT)
  test(`unknown, shown as such and never written: ${name}`, async () => {
    const hook: Hook = (request) => ({
      children: [...childrenOf(request), configMap('c', { k: derive(shownPassword(request)), other: 'x' })],
    });
    const { changes } = await run(hook, [stored1]);
    assert.deepEqual(outline(changes), ['create c unknown']);
    const change = changes.find(({ object }) => object.name === 'c');
    assert.ok(change);
    assert.deepEqual(change.after?.['data'], { k: MASKED_UNKNOWN, other: 'x' });
    assert.equal(maskedWriteOf(change)?.code, 'unknown-dependency');
  });

test('a hook that remembers an earlier placeholder is found out too', async () => {
  let kept: string | undefined;
  const hook: Hook = (request) => {
    kept ??= shownPassword(request);
    return { children: [...childrenOf(request), configMap('c', { k: base64(`x${kept}`) })] };
  };
  assert.deepEqual(outline((await run(hook, [stored1])).changes), ['create c unknown']);
});

test('a value that is in the parent too may make the Secret that already holds it', async () => {
  const parent = widget({ password: PASSWORD });
  const hook: Hook = (request) => {
    const spec = (request['parent'] as JsonObject)['spec'] as JsonObject;
    return { children: [secret('s', { password: String(spec['password']) })] };
  };
  const { changes, requests } = await run(hook, [stored(secret('s', { password: PASSWORD }))], parent);
  assert.doesNotMatch(stringifyJson(requests), /hunter2/);
  assert.deepEqual(outline(changes), []);
});

test('which children there are must not depend on masked values', async () => {
  const named: Hook = (request) => ({ children: [configMap(`c-${shownPassword(request)}`)] });
  const { plan } = await run(named, [stored1]);
  assert.equal(plan.diagnostics[0]?.code, 'unknown-dependency');
  assert.equal(plan.diagnostics[0]?.path, 'children[0].metadata.name');
  assert.equal(changesOfParent(plan).length, 0);
  const seen = new Set<string>();
  const counted: Hook = (request) => ({
    children: [...seen.add(shownPassword(request))].map((_, index) => configMap(`c${index}`)),
  });
  assert.equal((await run(counted, [stored1])).plan.diagnostics[0]?.path, 'children');
});

test('a value that is also a name hides no name', async () => {
  const token = secret('token', { namespace: 'a-namespace', kind: 'ConfigMap' });
  const inSpace = stored({ ...token, metadata: { ...token.metadata, namespace: 'a-namespace' } });
  const parent = widget({}, { namespace: 'a-namespace' });
  const echo: Hook = (request) => ({ children: childrenOf(request) });
  const { changes, requests } = await run(echo, [inSpace], parent);
  const shown = requests[0]?.['parent'];
  assert.match(stringifyJson(shown ?? null), /"namespace":"a-namespace"/);
  assert.deepEqual(outline(changes), []);
});

test('a failed hook says that it saw placeholders', async () => {
  const fail: Hook = () => {
    throw new Error('not a certificate');
  };
  assert.match((await run(fail, [stored1])).plan.diagnostics[0]?.detail ?? '', /placeholders/);
});

// Random Secrets, random places to which their values were copied, and a hook that puts pieces of what it saw anywhere.
test('property: no value in a masked request, no placeholder in a write', async () => {
  const runs: Promise<void>[] = [];
  withSeeds(4_000, 300, (random) => {
    const value = (): string => `v-${Math.floor(random() * 4)}-"é\n-${'z'.repeat(Math.floor(random() * 6))}`;
    const values = [value(), value()];
    const [a = '', b = ''] = values;
    const places = [a, `x${a}y`, base64(a), base64(`u:${b}`), encodeURIComponent(b), JSON.stringify({ b }), 'plain'];
    const copied = configMap('copied', { one: pick(random, places), two: pick(random, places) });
    const objects = [stored(secret('s', { a, b, short: 'xyz' })), stored(copied)];
    const parent = widget({ note: pick(random, places), list: [pick(random, places)] });
    // The same choices for both of its calls: they are a hook's own.
    const choices = Array.from({ length: 40 }, () => random());
    const hook: Hook = (request) => mangle(request, choices);
    runs.push(
      run(hook, objects, parent).then(({ changes, requests }) => {
        const shown = stringifyJson(requests);
        for (const leak of [a, b].flatMap((text) => [JSON.stringify(text).slice(1, -1), base64(text)]))
          assert.ok(!shown.includes(leak), `${leak} in ${shown}`);
        for (const change of changes.filter(isWrite)) {
          const written = stringifyJson(change.after ?? null);
          if (maskedWriteOf(change) === undefined) assert.doesNotMatch(written, /metactl-masked|bWV0YWN0bC1tYXNrZW/);
        }
      }),
    );
  });
  await Promise.all(runs);
});

function mangle(request: JsonObject, choices: readonly number[]): JsonValue {
  const texts = textsOf(request);
  let next = 0;
  const choose = (): number => choices[next++ % choices.length] ?? 0;
  const text = (): string => {
    const found = texts[Math.floor(choose() * texts.length)] ?? '';
    const way = Math.floor(choose() * 4);
    return way === 0 ? `<${found}>` : way === 1 ? base64(`a${found}`) : found;
  };
  const data: Record<string, JsonValue> = {};
  for (let index = 0; index < 3; index++) setOwn(data, choose() < 0.1 ? text() : `k${index}`, text());
  const kept = choose() < 0.7 ? childrenOf(request) : [];
  return { status: { seen: text() }, children: [...kept, { ...configMap('new'), data }] };
}

function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}
