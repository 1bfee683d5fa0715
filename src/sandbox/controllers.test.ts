// Kubernetes' own controllers on the sandbox: kube-controller-manager (Deployments, ReplicaSets, StatefulSets, DaemonSets,
// Jobs, endpoints, garbage collection, namespaces), the scheduler and KWOK come to the same as on the real server, field by
// field. A scenario step by step; then random edits, every other round with the sandbox's controllers behind a network in
// trouble; then the end of the namespace.
// METACTL_SOAK_SECONDS: how long the random edits go on (default 10; `npm run soak -- controllers`: 300). METACTL_SEED: which.

import { after, before, describe, type TestContext, test } from 'node:test';
import { doAndCompare, endNamespaces } from '../testing/controllers/compare.ts';
import { drawRound } from '../testing/controllers/edits.ts';
import { SCENARIO } from '../testing/controllers/scenario.ts';
import { type BothServers, startBothServers } from '../testing/controllers/servers.ts';
import type { FaultyFront } from '../testing/faulty-front.ts';
import { randomFrom } from '../testing/random-json.ts';
import { findRealServer } from '../testing/real-server.ts';
import { makeTrouble } from '../testing/trouble.ts';
import type { FaultPlan } from './index.ts';

const SECONDS = Number(process.env['METACTL_SOAK_SECONDS'] ?? 10);
const SEED = Number(process.env['METACTL_SEED'] ?? 20_261_121);

const server = findRealServer(process.env);
const skip = !server.available ? server.reason : server.pods ? false : 'needs the real API server with pods';

describe('the controllers of Kubernetes, on the sandbox as on the real server', { skip }, () => {
  let both: BothServers;
  before(async () => {
    if (server.available) both = await startBothServers(server);
  });
  after(() => both?.close());

  // Each step goes on from where the one before it has led.
  let lost = false;
  const step = (name: string, run: (t: TestContext) => Promise<void>): void => {
    test(name, async (t) => {
      if (lost) return t.skip('the two servers had parted before');
      lost = true;
      await run(t);
      lost = false;
    });
  };

  for (const one of SCENARIO) step(one.name, () => doAndCompare(one, both.sides));

  step(`random edits for ${SECONDS} s (METACTL_SEED=${SEED})`, async (t) => {
    const random = randomFrom(SEED);
    const end = performance.now() + SECONDS * 1_000;
    let round = 1;
    for (; performance.now() < end; round++) {
      const inTrouble = round % 2 === 0;
      const edits = drawRound(random, { jobs: !inTrouble });
      const trouble = inTrouble ? makeTrouble(sparingPods(both.front), random) : undefined;
      if (random() < 0.2) both.sandbox.forgetHistory({ endWatches: true });
      await doAndCompare({ ...edits, name: `round ${round}: ${edits.name}` }, both.sides, () => trouble?.stop());
    }
    t.diagnostic(`${round - 1} rounds`);
  });

  step('the namespace goes, with everything in it, once its last finalizer does', () => endNamespaces(both.sides));
});

/**
 * What is written twice when its answer is lost: the scheduler takes a binding for a failure, and says so on a pod that
 * runs, for good; KWOK gives a pod a second address.
 */
function sparingPods(front: FaultyFront): FaultyFront {
  const spared =
    (plan: FaultPlan): FaultPlan =>
    (request) =>
      /\/pods\/[^/]+\/(binding|status)/.test(request.path) ? undefined : plan(request);
  return { ...front, setPlan: (plan) => front.setPlan(plan && spared(plan)) };
}
