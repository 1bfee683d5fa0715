// Customize hooks that ask for what can't be: one clear error, nothing written, and all is well when it is put right. On
// both servers.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { limitedUser } from '../testing/limited-user.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const HOOK = `return { status: {}, children: [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child', labels: { app: 'thing' } } },
] };`;
const MAPS = { apiVersion: 'v1', resource: 'configmaps' };
const LABELS = { matchLabels: { a: 'b' } };

interface Stage extends UseCases {
  readonly project: ProjectDirectory;
  readonly namespace: string;
  readonly group: string;
  rules(...rules: readonly object[]): Promise<void>;
  child(): Promise<boolean>;
}

let stages = 0;

async function stage(target: TestTarget): Promise<Stage> {
  const namespace = await target.namespace();
  const group = `bad-rules-${++stages}-${target.kind}.example.com`;
  const customize = 'return { relatedResources: request.parent.spec.rules };';
  const project = await ProjectDirectory.create({ group, namespace, hook: HOOK, moreHooks: { customize } });
  after(() => project.remove());
  return {
    ...useCases({ cluster: target.choice, paths: [project.path], namespace }),
    project,
    namespace,
    group,
    rules: (...rules) => project.parent({ rules }),
    child: async () => (await createClient(target.transport).get(CONFIG_MAPS, 'child', namespace)) !== undefined,
  };
}

const bad: readonly (readonly [string, object, string, RegExp])[] = [
  [
    'an unknown resource',
    { apiVersion: 'v1', resource: 'configmap' },
    'unknown-resource',
    /configmap of v1, which the server does not serve/,
  ],
  [
    'another namespace under v1',
    { ...MAPS, namespace: 'kube-system' },
    'answer-invalid',
    /is kube-system, but the parent is in/,
  ],
  [
    'names and a selector together',
    { ...MAPS, names: ['a'], labelSelector: LABELS },
    'answer-invalid',
    /names stands beside labelSelector/,
  ],
];

forEachTarget('customize problems', (target) => {
  for (const [why, rule, code, words] of bad)
    test(why, async () => {
      const { apply, plan, rules, child } = await stage(target);
      await rules(rule);
      const planned = await plan();
      assert.deepEqual(
        planned.diagnostics.map((diagnostic) => diagnostic.code),
        [code],
      );
      assert.match(planned.diagnostics[0]?.summary ?? '', words);
      const refused = await apply();
      assert.deepEqual([refused.status, refused.applied, await child()], ['failed', [], false]);
      await rules(MAPS);
      assert.equal((await apply()).status, 'settled');
      assert.equal(await child(), true);
    });

  test('a rule that goes wrong later: what is there stays as it is', async () => {
    const { apply, rules, child } = await stage(target);
    await rules(MAPS);
    assert.equal((await apply()).status, 'settled');
    await rules({ apiVersion: 'nowhere.example.com/v1', resource: 'things' });
    const refused = await apply();
    assert.equal(refused.status, 'failed');
    assert.deepEqual([...new Set(refused.diagnostics.map(({ code }) => code))], ['unknown-resource']);
    assert.equal(await child(), true);
    await rules();
    assert.equal((await apply()).status, 'settled');
  });

  test('a right that a rule needs and the user lacks: said with the rule that gives it, and nothing is written', async () => {
    const { apply, rules, namespace, group, project, child } = await stage(target);
    await rules({ apiVersion: 'v1', resource: 'secrets', names: ['token'] });
    const admin = await apply({ paths: [join(project.path, 'crd.json'), join(project.path, 'parent.json')] });
    assert.notEqual(admin.status, 'failed');
    const verbs = ['get', 'list', 'watch', 'create', 'update', 'delete'];
    const given = [
      { apiGroups: [''], resources: ['configmaps'], verbs },
      { apiGroups: [group], resources: ['things', 'things/status'], verbs },
    ];
    const definitionOnly = { paths: [join(project.path, 'controller.json')] };
    for (const [name, more, status] of [
      ['without', [], 'failed'],
      ['with', [{ apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] }], 'settled'],
    ] as const) {
      const user = await limitedUser(target, {
        name: `${name}-${namespace}`,
        namespace,
        rules: [...given, ...more],
        directory: project.path,
      });
      after(() => user.close());
      const { apply: applyAs } = useCases({ cluster: user.choice, ...definitionOnly, namespace });
      const outcome = await applyAs();
      assert.deepEqual(
        [outcome.status, await child()],
        [status, status === 'settled'],
        JSON.stringify(outcome.diagnostics),
      );
      if (status === 'settled') continue;
      assert.deepEqual(
        outcome.diagnostics.map(({ code }) => code),
        ['forbidden'],
      );
      assert.match(outcome.diagnostics[0]?.hint ?? '', /resources: \["secrets"\]/);
    }
  });
});
