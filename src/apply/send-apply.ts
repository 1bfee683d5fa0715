// Server-side apply of one object. It needs no resourceVersion: whose field is whose is the server's business, and what is
// taken by force stands in the plan.

import { holdsUnknown } from '../kit/unknown.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Intent } from '../model/plan.ts';
import type { ChangeOutcome } from '../model/progress.ts';
import { bodyForCreate, bodyForUpdate } from '../plan/index.ts';
import { isApiError, isReplaced } from '../ports/errors.ts';
import { existing } from './existing.ts';
import type { SendPorts } from './ports.ts';
import { stale, UNKNOWNS } from './stale.ts';

type ApplyIntent = Extract<Intent, { kind: 'apply' }>;

export async function sendApply(change: Change, intent: ApplyIntent, ports: SendPorts): Promise<ChangeOutcome> {
  const { type, fieldManager, force, before: planned } = change;
  const { desired, ...how } = intent;
  if (holdsUnknown(desired)) return stale(UNKNOWNS);
  const before = change.verb === 'create' ? undefined : (resultOfEarlier(change, ports) ?? planned);
  const patch = before ? bodyForUpdate(desired, before, how) : bodyForCreate(desired);
  const { name = '', namespace } = desired.metadata;
  try {
    const result = await ports.writer.write({
      verb: 'patch',
      type,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      fieldManager,
      force,
      contentType: 'application/apply-patch+yaml',
      patch,
    });
    ports.cache.record(type, { ...(before ? { before } : {}), result });
    if (result) ports.results.set(change.id, result);
    return isNews(before, result) ? { kind: 'done' } : { kind: 'unneeded' };
  } catch (error) {
    // Of a field that somebody has taken meanwhile, of an object that was made, replaced or deleted: planned again.
    if (isApiError(error, 409)) return before ? stale('it changed since the plan') : existing(change, ports);
    if (isReplaced(error)) return stale('it was replaced by another object of the same name');
    // Where it is created, something else is missing: its namespace, its kind.
    if (isApiError(error, 404) && before) return stale('it is gone');
    throw error;
  }
}

/** What a change that comes first made of the same object. */
function resultOfEarlier({ guards }: Change, { results }: SendPorts): KubeObject | undefined {
  const chain = guards.find((guard) => guard.kind === 'result-of');
  return chain && results.get(chain.change);
}

/** A webhook in the cluster may undo what is applied: that is no progress. */
const isNews = (before: KubeObject | undefined, result: KubeObject | undefined): boolean =>
  before?.metadata.resourceVersion === undefined ||
  before.metadata.resourceVersion !== result?.metadata.resourceVersion;
