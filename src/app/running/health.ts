// What /healthz and /readyz say of the one at work. Not healthy: it should be started anew. Not ready: it does not do, or does
// not see, all that it should.

import type { GroupLoad } from '../../loop/index.ts';
import type { HostedState } from './controller-host.ts';

/** Parents wait, nothing is under way, and nothing has ended for so long: no call explains it, nor a list that is long in coming. */
const STUCK_AFTER_MS = 600_000;

interface AtWork {
  readonly crashed: boolean;
  /** Rounds that wait when it stops are not begun any more. */
  readonly stopping: boolean;
  readonly loads: ReadonlyMap<string, GroupLoad>;
  readonly quietMs: number;
}

export function sickness({ crashed, stopping, loads, quietMs }: AtWork): string | undefined {
  if (crashed) return 'a defect was met: see the log';
  const parents = [...loads.values()].reduce((sum, { ready, running }) => sum + ready + running, 0);
  if (stopping || parents === 0 || quietMs < STUCK_AFTER_MS) return undefined;
  return `the loop is stuck: ${parents} parents wait, and nothing has happened for ${Math.round(quietMs / 1_000)} s`;
}

interface InSight {
  readonly started: boolean;
  readonly stopping: boolean;
  readonly controllers: readonly { readonly controller: string; readonly state: HostedState['kind'] }[];
  readonly lostWatches: readonly string[];
  /** Kinds of controllers that are there, and of which none can run. */
  readonly unfollowed: readonly string[];
}

/** Controllers that wait for somebody else's doing (a CRD, a right) do not count. */
export function unreadiness({ started, stopping, controllers, lostWatches, unfollowed }: InSight): string | undefined {
  if (stopping) return 'stopping';
  if (!started) return 'controllers are being started';
  if (lostWatches.length > 0) return `not watched any more: ${lostWatches.join('; ')}`;
  if (unfollowed.length > 0) return `not followed: ${unfollowed.join('; ')}`;
  const starting = controllers.filter(({ state }) => state === 'starting');
  return starting.length === 0 ? undefined : `starting: ${starting.map(({ controller }) => controller).join(', ')}`;
}
