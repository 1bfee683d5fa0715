// Users with few rights, on both servers: one namespace is enough for a plan and an apply, and what is missing is said once.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../cluster/index.ts';
import { changesOf } from '../model/plan.ts';
import { type LimitedUser, limitedUser, type Rule } from '../testing/limited-user.ts';
import { CONFIG_MAPS } from '../testing/objects.ts';
import { ProjectDirectory } from '../testing/project-directory.ts';
import { forEachTarget } from '../testing/targets.ts';
import { type UseCases, useCases } from '../testing/use-cases.ts';

const MAPS = `return { status: {}, children: Array.from({ length: request.parent.spec.count ?? 0 }, (_, i) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm-' + i, labels: { app: 'thing' } } })) };`;
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete'];
let counter = 0;

forEachTarget('permissions', (target) => {
  const stage = async (): Promise<{
    group: string;
    namespace: string;
    /** Without `where`: -n with the stage's namespace. */
    as(rules: readonly Rule[], where?: { readonly namespace?: string }): Promise<UseCases>;
    children(): Promise<number>;
  }> => {
    const namespace = await target.namespace();
    const group = `permissions-${++counter}-${target.kind}.example.com`;
    const project = await ProjectDirectory.create({ group, namespace, hook: MAPS });
    const admin = useCases({ cluster: target.choice, paths: [project.path], namespace });
    assert.equal((await admin.apply()).status, 'settled');
    await project.parent({ count: 20 });
    const stored = useCases({ cluster: target.choice, paths: [join(project.path, 'parent.json')], namespace });
    assert.notEqual((await stored.apply()).status, 'failed');
    const users: LimitedUser[] = [];
    after(async () => {
      for (const user of users) await user.close();
      await project.remove();
    });
    return {
      group,
      namespace,
      as: async (rules, where = { namespace }) => {
        const name = `jane-${namespace}-${users.length}`;
        const user = await limitedUser(target, { name, namespace, rules, directory: project.path });
        users.push(user);
        return useCases({ cluster: user.choice, paths: [join(project.path, 'controller.json')], ...where });
      },
      children: async () => {
        const { items } = await createClient(target.transport).list(CONFIG_MAPS, { namespace });
        return items.filter(({ metadata }) => metadata.name?.startsWith('m-')).length;
      },
    };
  };
  const rulesFor = (group: string, verbs: readonly string[]): Rule[] => [
    { apiGroups: [''], resources: ['configmaps'], verbs },
    { apiGroups: [group], resources: ['things', 'things/status'], verbs },
  ];

  test('whoever may read one namespace can plan it', async () => {
    const { group, as } = await stage();
    const reader = await as(rulesFor(group, ['get', 'list']));
    const { plan, diagnostics } = await reader.plan();
    assert.deepEqual(diagnostics, []);
    assert.equal(plan && changesOf(plan).filter(({ action }) => action === 'create').length, 20);
  });

  test('whoever may write one namespace can apply to it', async () => {
    const { group, as, children } = await stage();
    const writer = await as(rulesFor(group, [...READ, ...WRITE]));
    const outcome = await writer.apply();
    assert.equal(outcome.status, 'settled', JSON.stringify(outcome.diagnostics));
    assert.equal(await children(), 20);
  });

  test('without -n, everything that is missing is said in one run, once each, with the rule that helps', async () => {
    const { group, as } = await stage();
    const reader = await as(rulesFor(group, READ), {});
    const { plan, diagnostics } = await reader.plan();
    assert.equal(plan, undefined);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['forbidden', 'forbidden'],
    );
    assert.match(
      diagnostics[0]?.summary ?? '',
      new RegExp(`may not list things of ${group} in the cluster as a whole`),
    );
    assert.match(diagnostics[1]?.summary ?? '', /may not list configmaps in the cluster as a whole/);
    assert.match(diagnostics[1]?.hint ?? '', /ClusterRole needs the rule .*resources: \["configmaps"\].*-n NAMESPACE/);
  });

  test('twenty writes that lack one permission are one problem', async () => {
    const { group, namespace, as, children } = await stage();
    const reader = await as(rulesFor(group, READ));
    const outcome = await reader.apply();
    assert.equal(outcome.status, 'failed');
    const summaries = outcome.diagnostics.map(({ summary }) => summary);
    assert.equal(new Set(summaries).size, summaries.length, 'each once');
    const creates = summaries.filter((summary) => summary.includes('may not create configmaps'));
    assert.equal(creates.length, 1);
    assert.match(creates[0] ?? '', new RegExp(`in namespace "${namespace}"$`));
    assert.ok(
      outcome.diagnostics.every(({ code }) => code === 'forbidden'),
      JSON.stringify(summaries),
    );
    assert.equal(await children(), 0);
  });
});
