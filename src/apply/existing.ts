// A create found the object there.

import { getOwn, isJsonArray, isJsonObject, type JsonValue, jsonEqual } from '../kit/json.ts';
import { isDeleting } from '../model/object.ts';
import type { Change } from '../model/plan.ts';
import type { ChangeOutcome } from '../model/progress.ts';
import type { ExecutePorts } from './ports.ts';
import { stale } from './stale.ts';

/** Ours, when it is what was to be created: the answer to an earlier attempt was lost, or another process was faster. */
export async function existing(
  { type, object, after }: Change,
  { reader, cache }: ExecutePorts,
): Promise<ChangeOutcome> {
  const live = await reader.get(type, object.name, object.namespace);
  if (!live || !after || isDeleting(live) || !holdsAllOf(live, after)) return stale('it exists by now');
  cache.record(type, { result: live });
  return { kind: 'unneeded' };
}

/** Everything that `wanted` says is so in `live`; the server may have added to it. */
function holdsAllOf(live: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (isJsonObject(wanted) && isJsonObject(live))
    return Object.keys(wanted).every((key) => holdsAllOf(getOwn(live, key), getOwn(wanted, key)));
  if (isJsonArray(wanted) && isJsonArray(live))
    return wanted.length === live.length && wanted.every((item, index) => holdsAllOf(live[index], item));
  return jsonEqual(live, wanted);
}
