// Sends one change and says how it ended. Every way in which the object may have moved since the plan leads to `stale`
// (plan again), never to a blind retry.

import { jsonEqual } from '../kit/json.ts';
import { holdsUnknown } from '../kit/unknown.ts';
import { isDeleting, type KubeObject, type ObjectMeta } from '../model/object.ts';
import type { Change, Guard } from '../model/plan.ts';
import type { ChangeOutcome } from '../model/progress.ts';
import { permits, rebase } from '../plan/index.ts';
import { isApiError } from '../ports/errors.ts';
import type { WriteRequest } from '../ports/write.ts';
import { existing } from './existing.ts';
import { failureOf, isPermanent } from './failure.ts';
import { maskedWriteOf } from './masked-write.ts';
import type { ExecutePorts, SendPorts } from './ports.ts';
import { sendApply } from './send-apply.ts';
import { stale, UNKNOWNS } from './stale.ts';

// Somebody who writes the object all the time must not hold us for ever: then the plan is made anew.
const MAX_REBASES = 3;

export async function sendChange(change: Change, ports: SendPorts): Promise<ChangeOutcome> {
  try {
    const masked = maskedWriteOf(change);
    if (masked) return { kind: 'failed', diagnostic: masked, permanent: true };
    const broken = await brokenGuard(change, ports);
    if (broken !== undefined) return stale(broken);
    if (change.intent?.kind === 'apply') return await sendApply(change, change.intent, ports);
    if (change.verb === 'create') return await sendCreate(change, ports);
    if (change.verb === 'delete') return await sendDelete(change, ports);
    return await sendUpdate(change, ports);
  } catch (error) {
    return { kind: 'failed', diagnostic: failureOf(change, error), permanent: isPermanent(error) };
  }
}

/** Guards on other objects. Those on the object itself travel with the request. */
async function brokenGuard(change: Change, { reader }: ExecutePorts): Promise<string | undefined> {
  for (const guard of change.guards) {
    if (guard.kind !== 'live') continue;
    const live = await reader.get(guard.type, guard.ref.name, guard.ref.namespace);
    if (!live) return 'its parent is gone';
    if (live.metadata.uid !== guard.uid) return 'its parent was replaced by another object of the same name';
    if (isDeleting(live)) return 'its parent is being deleted';
  }
  return undefined;
}

async function sendCreate(change: Change, ports: ExecutePorts): Promise<ChangeOutcome> {
  const { writer, cache } = ports;
  if (!change.after) return stale('the plan holds no object to create');
  if (holdsUnknown(change.after)) return stale(UNKNOWNS);
  try {
    const { type, fieldManager } = change;
    const result = await writer.write({ verb: 'create', type, fieldManager, object: change.after });
    cache.record(type, { result });
    return { kind: 'done' };
  } catch (error) {
    if (isApiError(error, 409) && error.status.reason === 'AlreadyExists') return existing(change, ports);
    throw error;
  }
}

async function sendDelete(change: Change, { writer, cache }: ExecutePorts): Promise<ChangeOutcome> {
  const { type, fieldManager, object, propagation, before } = change;
  const done = (result: KubeObject | undefined): void => {
    cache.record(type, { ...(before ? { before } : {}), result });
  };
  try {
    const uid = guardOf(change.guards, 'uid')?.uid;
    const resourceVersion = guardOf(change.guards, 'resourceVersion')?.resourceVersion;
    const result = await writer.write({
      verb: 'delete',
      type,
      fieldManager,
      name: object.name,
      ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(propagation === undefined ? {} : { propagation }),
    });
    done(result);
    return { kind: 'done' };
  } catch (error) {
    if (isApiError(error, 409)) return stale('it changed since the plan');
    if (!isApiError(error, 404)) throw error;
    done(undefined);
    return { kind: 'unneeded' };
  }
}

function guardOf<K extends Guard['kind']>(guards: readonly Guard[], kind: K): Extract<Guard, { kind: K }> | undefined {
  return guards.find((guard): guard is Extract<Guard, { kind: K }> => guard.kind === kind);
}

async function sendUpdate(change: Change, ports: SendPorts): Promise<ChangeOutcome> {
  const chain = guardOf(change.guards, 'result-of');
  let base = chain && (ports.results.get(chain.change) ?? (await freshObject(change, ports)));
  for (let attempt = 0; attempt <= MAX_REBASES; attempt++) {
    const next = base === undefined ? change.after : rebased(change, base, ports);
    if (!next || !('metadata' in next)) return next ?? stale('the plan holds no object to write');
    if (holdsUnknown(next)) return stale(UNKNOWNS);
    const sent = await tryUpdate(change, next, ports);
    if (sent !== 'conflict') return sent;
    base = await freshObject(change, ports);
  }
  return stale('it keeps changing');
}

/** The object to send, made of a fresher one than the plan knew, or why none is to be sent. */
function rebased(
  change: Change,
  fresh: KubeObject | ChangeOutcome,
  { results }: SendPorts,
): KubeObject | ChangeOutcome {
  if (!('metadata' in fresh)) return fresh;
  const object = change.intent && rebase(change.intent, fresh);
  if (!object) return stale('it changed since the plan');
  if (jsonEqual(object, fresh)) {
    results.set(change.id, fresh);
    return { kind: 'unneeded' };
  }
  return permits(change, fresh, object) ? object : stale('it changed since the plan, and the plan no longer fits');
}

async function tryUpdate(change: Change, object: KubeObject, ports: SendPorts): Promise<ChangeOutcome | 'conflict'> {
  const { type, fieldManager, subresource } = change;
  const body = writesOwners(change) ? object : withoutManagedFields(object);
  const request: WriteRequest = {
    verb: 'update',
    type,
    fieldManager,
    object: body,
    ...(subresource ? { subresource } : {}),
  };
  try {
    const result = await ports.writer.write(request);
    ports.cache.record(type, { ...(change.before ? { before: change.before } : {}), result });
    if (result) ports.results.set(change.id, result);
    return { kind: 'done' };
  } catch (error) {
    if (isApiError(error, 409)) return 'conflict';
    if (isApiError(error, 404)) return stale('it is gone');
    throw error;
  }
}

/** Moving from one apply mode to the other is the one thing that says who owns what. */
const writesOwners = ({ intent }: Change): boolean =>
  intent?.kind === 'migrate' || (intent?.kind === 'merge' && intent.from !== undefined);

/** The caches keep a part of them at most; without any the server keeps its own. */
function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  return managedFields === undefined ? object : { ...object, metadata };
}

async function freshObject(change: Change, { reader }: ExecutePorts): Promise<KubeObject | ChangeOutcome> {
  const fresh = await reader.get(change.type, change.object.name, change.object.namespace);
  if (!fresh) return stale('it is gone');
  if (fresh.metadata.uid !== change.before?.metadata.uid)
    return stale('it was replaced by another object of the same name');
  return isOfTheState(change, fresh) ? fresh : stale('what the hook was asked about changed since the plan');
}

const SEEN_BY_FINALIZE = ['generation', 'labels', 'deletionTimestamp'] as const;

/** A status speaks of the generation that the hook saw; that it is done, of the parent which it was asked about. */
function isOfTheState({ intent, hookCall, before }: Change, fresh: KubeObject): boolean {
  const same = (field: keyof ObjectMeta): boolean => jsonEqual(fresh.metadata[field], before?.metadata[field]);
  if (intent?.kind === 'status') return same('generation');
  const takesFinalizer =
    intent?.kind === 'finalizer-remove' || (intent?.kind === 'decorate' && intent.finalizer !== undefined);
  return !takesFinalizer || hookCall === undefined || SEEN_BY_FINALIZE.every(same);
}
