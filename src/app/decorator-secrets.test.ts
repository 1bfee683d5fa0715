// A decorator's hook that sees placeholders instead of Secret values: the decorated object and its attachments.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { maskedWriteOf } from '../apply/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../kit/json.ts';
import { MASKED_UNKNOWN } from '../kit/unknown.ts';
import type { Answer } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOfParent, type ParentPlan } from '../model/plan.ts';
import { planParent } from '../plan/index.ts';
import { CONTROLLER_KINDS } from '../testing/controller-kinds.ts';
import { FakeHooks } from '../testing/fake-hooks.ts';
import { CONFIG_MAPS, configMap, decoratorOfWidgets } from '../testing/objects.ts';
import { maskSecrets } from './mask-secrets.ts';

const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const PASSWORD = 'hunter2-hunter2';
const SECRET: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'default', uid: 'widget-uid', resourceVersion: '3' },
  data: { password: Buffer.from(PASSWORD).toString('base64') },
};

async function run(hook: (request: JsonObject) => JsonValue, attachments: readonly KubeObject[] = []) {
  const definition = decoratorOfWidgets();
  const [parentRule] = definition.parents;
  assert.ok(parentRule);
  const hooks = new FakeHooks(hook);
  const caller = maskSecrets(hooks, 'a key of this run');
  const answers = new Map<string, Answer>();
  const children = [{ type: CONFIG_MAPS, objects: attachments }];
  const view = { parent: SECRET, parentType: SECRETS, parentLive: true, children };
  const done = (plan: ParentPlan): { plan: ParentPlan; changes: Change[]; shown: string } => {
    return { plan, changes: changesOfParent(plan), shown: stringifyJson(hooks.calls.map(({ request }) => request)) };
  };
  for (;;) {
    const planning = planParent({ definition, parentRule }, view, answers, { foresee: true });
    if (planning.kind === 'plan') return done(planning.plan);
    for (const need of planning.needs) {
      if (need.kind === 'lookup') answers.set(need.id, { kind: 'lookup', id: need.id, objects: [] });
      if (need.kind === 'hook') answers.set(need.id, await caller.call(need, new AbortController().signal));
    }
  }
}

const shownPassword = ({ object }: JsonObject): string =>
  isJsonObject(object) ? String((object['data'] as JsonObject | undefined)?.['password']) : '';

test('the decorated Secret itself is shown with placeholders', async () => {
  const { shown, plan } = await run(() => ({ labels: { seen: 'yes' } }));
  assert.doesNotMatch(shown, /hunter2|aHVudGVyMi1odW50ZXIy/);
  assert.deepEqual(plan.diagnostics, []);
});

test('an annotation that is made of a value is unknown and never written; a label must be known', async () => {
  const sum = (request: JsonObject): string => createHash('sha256').update(shownPassword(request)).digest('hex');
  const { changes } = await run((request) => ({ annotations: { sum: sum(request) } }));
  const [change] = changes;
  assert.ok(change);
  assert.deepEqual(change.after?.metadata.annotations, { sum: MASKED_UNKNOWN });
  assert.equal(maskedWriteOf(change)?.code, 'unknown-dependency');
  const { plan } = await run((request) => ({ labels: { sum: sum(request).slice(0, 20) } }));
  assert.deepEqual(
    plan.diagnostics.map(({ code, path }) => [code, path]),
    [['unknown-dependency', 'labels.sum']],
  );
});

test('attachments that come back as they were shown are as they are, though they hold a value', async () => {
  const decorator = CONTROLLER_KINDS.find(({ name }) => name === 'DecoratorController');
  const map = configMap('copy', { url: `postgres://u:${PASSWORD}@db` });
  const stored = decorator?.stored(map);
  assert.ok(stored);
  const echo = (request: JsonObject): JsonValue => {
    const group = (request['attachments'] as JsonObject)['ConfigMap.v1'] as JsonObject;
    return { attachments: Object.values(group).map((object) => object ?? null) };
  };
  const { changes, shown } = await run(echo, [stored]);
  assert.doesNotMatch(shown, /hunter2/);
  assert.deepEqual(changes, []);
});
