// The contract suite: each check of each topic, on both servers. All topics' kinds are created at once and first, because
// the real server holds the first create of a new kind back for two seconds.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { forEachTarget, type TestTarget } from '../targets.ts';
import { definition, thing } from './objects.ts';
import { runCheck } from './run-check.ts';
import { TOPICS } from './topics.ts';

const AT_ONCE = 8;
const CHECK_TIMEOUT_MS = 250_000;

/** An API group that no other run and no other topic has. */
const groupOf = (topic: string): string =>
  `${topic.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${randomBytes(3).toString('hex')}.contract.metactl.dev`;

async function serveThings({ transport }: TestTarget, group: string): Promise<void> {
  const steps = [
    { send: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition('things'), code: 201 },
    { send: 'GET {things}', code: 200, eventually: true },
    { send: 'POST {things}?dryRun=All', body: thing('a'), code: 201, eventually: true },
  ] as const;
  await runCheck(
    { name: 'things', reason: 'every topic has its own', steps },
    { transport, group, namespace: 'default' },
  );
}

forEachTarget('contract', (target) => {
  const groups = new Map(TOPICS.map(({ name }) => [name, groupOf(name)]));
  before(async () => {
    await Promise.all([...groups.values()].map((group) => serveThings(target, group)));
  });
  for (const topic of TOPICS) {
    const skip = topic.needs === 'controllers' && !target.controllers;
    const reason = 'needs the real API server with kube-controller-manager, which is not in KUBEBUILDER_ASSETS';
    describe(topic.name, { concurrency: AT_ONCE, skip: skip ? reason : false }, () => {
      for (const check of topic.checks) {
        it(check.name, { timeout: CHECK_TIMEOUT_MS }, async () => {
          const group = groups.get(topic.name) ?? '';
          await runCheck(check, { transport: target.transport, namespace: await target.namespace(), group });
        });
      }
    });
  }
});

describe('contract suite', () => {
  it('has no two checks of one name in a topic', () => {
    for (const { name, checks } of TOPICS) {
      assert.equal(new Set(checks.map((check) => check.name)).size, checks.length, name);
    }
  });
});
