// `metactl rbac` is exact, on both servers: whoever has these rights alone can live a whole life of the controllers, and
// makes use of each of them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Purpose, Rule } from '../install/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { ApiRequest, ApiResponse } from '../ports/transport.ts';
import { type RightsWorld, rightsWorld } from '../testing/rights-world.ts';
import { forEachTarget, type TestTarget } from '../testing/targets.ts';
import { until } from '../testing/until.ts';
import { testEnvironment, useCases } from '../testing/use-cases.ts';
import { answerOf, type RoleUser, userWithRoles } from '../testing/user-with-roles.ts';
import { type DaemonOptions, runDaemon } from './index.ts';
import { type RightsOutcome, runRights } from './rights.ts';

const CRDS = join(import.meta.dirname, '../../deploy/crds');
const RELATED = [{ group: '', resource: 'resourcequotas' }];
const LEASE = 'rights-test';

async function rightsFor(
  { definitions, namespace }: RightsWorld,
  purpose: Purpose,
  { namespace: within, shared = false }: { readonly namespace?: string; readonly shared?: boolean } = {},
): Promise<RightsOutcome> {
  const leases = { namespace, names: [LEASE], shared };
  const where = within === undefined ? {} : { namespace: within };
  const roles = { name: `${purpose}-${namespace}` };
  const options = { paths: [definitions], purpose, related: RELATED, leases, roles, ...where };
  const outcome = await runRights(options, testEnvironment);
  assert.deepEqual(outcome.diagnostics, []);
  return outcome;
}

/** The first create and the first update of each resource meet somebody who was faster: what follows needs rights too. */
function firstCollide(): (request: ApiRequest) => ApiResponse | undefined {
  const met = new Set<string>();
  return ({ method, path }) => {
    const [resource = ''] = path.replace(/\?.*/, '').split('/').slice(-2);
    const key = method === 'POST' ? path.replace(/\?.*/, '') : `${resource} ${path.includes('/status')}`;
    if ((method !== 'PUT' && method !== 'POST') || /leases|events/.test(path) || met.has(`${method} ${key}`))
      return undefined;
    met.add(`${method} ${key}`);
    return answerOf(409, method === 'POST' ? 'AlreadyExists' : 'Conflict', 'somebody was faster');
  };
}

async function userFor(target: TestTarget, world: RightsWorld, roles: readonly KubeObject[]): Promise<RoleUser> {
  const { directory } = world;
  const name = roles[0]?.metadata.name ?? '';
  const user = await userWithRoles(target, { name, roles, directory, instead: firstCollide() });
  after(() => user.close());
  return user;
}

/** Where the API server is told to check owner references, which it is not by default, it asks for these by itself. */
const byRequests = ({ rights }: RightsOutcome) => rights.filter(({ resource }) => !resource.endsWith('/finalizers'));

forEachTarget('exact rights', (target) => {
  before(async () => {
    const { status } = await useCases({ cluster: target.choice, paths: [CRDS] }).apply();
    assert.match(status, /settled|nothing/);
  });

  test('an apply in one namespace', async () => {
    const world = await rightsWorld(target);
    const { namespace, definitions } = world;
    const outcome = await rightsFor(world, 'apply', { namespace });
    const user = await userFor(target, world, outcome.roles);
    const { apply } = useCases({ cluster: user.choice, paths: [definitions], namespace, allowLocalHooks: false });
    await world.live(async (what, there) => {
      const { status, diagnostics } = await apply();
      assert.match(status, /settled|nothing/, `${what}: ${JSON.stringify(diagnostics)}`);
      assert.ok(await there(), what);
    });
    assert.deepEqual(user.refused, []);
    assert.deepEqual(user.unused(byRequests(outcome)), []);
  });

  test('a daemon in the whole cluster, with definitions that are objects of it', async () => {
    const world = await rightsWorld(target);
    const outcome = await rightsFor(world, 'daemon');
    const user = await userFor(target, world, outcome.roles);
    await world.install();
    world.failHooks(6);
    const daemon = startDaemon(user, world);
    await world.live(until);
    assert.equal((await daemon.stop()).status, 'stopped');
    assert.deepEqual(user.refused, []);
    assert.deepEqual(user.unused(byRequests(outcome)), []);
  });

  test('two replicas that share the parents', async () => {
    const world = await rightsWorld(target);
    const { namespace } = world;
    const outcome = await rightsFor(world, 'daemon', { shared: true });
    const user = await userFor(target, world, outcome.roles);
    await world.install();
    const election = { name: LEASE, namespace, shards: 2 };
    const daemons = [startDaemon(user, world, { election }), startDaemon(user, world, { election })];
    await world.live(until);
    for (const daemon of daemons) assert.equal((await daemon.stop()).status, 'stopped');
    assert.deepEqual(user.refused, []);
    assert.deepEqual(user.unused(outcome.rights.filter(({ resource }) => resource === 'leases')), []);
  });

  test('a shadow', async () => {
    const world = await rightsWorld(target);
    const outcome = await rightsFor(world, 'shadow');
    const user = await userFor(target, world, outcome.roles);
    await world.install();
    const shadow = startDaemon(user, world, { shadow: { windowMs: 30_000, managers: ['metacontroller'] } });
    const atWork = useCases({ cluster: target.choice, paths: [world.definitions], namespace: world.namespace });
    // Dry runs are for what schemas do not tell; here these tell everything.
    const byChance = 'patch networkpolicies';
    const left = (): string =>
      user
        .unused(outcome.rights)
        .filter((right) => right !== byChance)
        .join(', ');
    await assert.rejects(
      world.live(async () => {
        // What it looks at beside the parents, it looks at where somebody has brought these on their way.
        assert.notEqual((await atWork.apply({ wait: false })).status, 'failed');
        await until('all is used', () => left() === '').catch(() => assert.fail(left()));
        throw new Error('all is used');
      }),
      /all is used/,
    );
    assert.equal((await shadow.stop()).status, 'stopped');
    assert.deepEqual(user.refused, []);
  });

  // Of different controllers, or of different stages of one: what is written in one run must not be there in the next.
  const MISSING = [
    ['list things', 'list networkpolicies'],
    ['update things', 'patch networkpolicies', 'update makers/status', 'create podtemplates'],
    ['create controllerrevisions'],
    ['create configmaps'],
  ];
  test('what is taken away is missed, and named', async () => {
    const world = await rightsWorld(target);
    const { namespace, definitions, directory } = world;
    const { roles } = await rightsFor(world, 'apply', { namespace });
    const applyWithout = async (missing: readonly string[], name: string): Promise<string> => {
      const user = await userWithRoles(target, {
        name,
        roles: roles.map((role) => less(role, missing, name)),
        directory,
      });
      after(() => user.close());
      const { apply } = useCases({ cluster: user.choice, paths: [definitions], namespace, allowLocalHooks: false });
      const { status, diagnostics } = await apply();
      const said = diagnostics.map(({ summary, hint }) => `${summary}. ${hint}`).join('\n');
      assert.equal(status, 'failed', said);
      return said;
    };
    await assert.rejects(
      world.live(async () => {
        for (const [index, missing] of MISSING.entries()) {
          const said = await applyWithout(missing, `less-${index}-${namespace}`);
          for (const [verb, resource] of missing.map((right) => right.split(' '))) {
            assert.match(said, new RegExp(`may not ${verb === 'list' ? '(list|watch)' : verb} ${resource}`));
            assert.match(said, new RegExp(`needs the rule .*resources: \\["${resource}"\\]`));
          }
        }
        throw new Error('each was named');
      }),
      /each was named/,
    );
  });

  test('a plan', async () => {
    const world = await rightsWorld(target);
    const outcome = await rightsFor(world, 'plan');
    const user = await userFor(target, world, outcome.roles);
    const { plan } = useCases({ cluster: user.choice, paths: [world.definitions], allowLocalHooks: false });
    await assert.rejects(
      world.live(async (what) => {
        const { diagnostics } = await plan();
        assert.deepEqual(
          diagnostics.filter(({ severity }) => severity === 'error'),
          [],
        );
        throw new Error(what);
      }),
      /children are made/,
    );
    assert.deepEqual(user.unused(byRequests(outcome)), []);
  });
});

/** `missing`: "create configmaps". Whoever may not list may not watch. */
function less(role: KubeObject, missing: readonly string[], name: string): KubeObject {
  const rules = (role['rules'] as unknown as readonly Rule[]).flatMap((rule) =>
    rule.resources.map((resource) => {
      const isLeft = (verb: string): boolean => !missing.includes(`${verb === 'watch' ? 'list' : verb} ${resource}`);
      return { ...rule, resources: [resource], verbs: rule.verbs.filter(isLeft) };
    }),
  );
  const left = rules.filter(({ verbs }) => verbs.length > 0);
  return { ...role, metadata: { ...role.metadata, name }, rules: left.map((rule) => ({ ...rule })) };
}

function startDaemon(user: RoleUser, { label, namespace }: RightsWorld, more: Partial<DaemonOptions> = {}) {
  const signal = new AbortController();
  const options: DaemonOptions = {
    ...{ cluster: user.choice, paths: [], fromCluster: true, controllerSelector: label },
    ...{ concurrency: 16, workers: 5, flushMs: 0, drainMs: 10_000 },
    log: { level: 'error', encoder: 'json', write: () => undefined },
    events: { burst: 25, perSecond: 1 / 300 },
    election: { name: LEASE, namespace },
    ...more,
  };
  const ended = runDaemon(options, { ...testEnvironment, signal: signal.signal });
  const stop = () => {
    signal.abort(new Error('stopped by the test'));
    return ended;
  };
  after(stop);
  return { stop };
}
