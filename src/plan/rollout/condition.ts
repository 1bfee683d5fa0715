// The condition `Updated` of the parent: how far its rollout is. Laid over what the hook says of the status.

import { isJsonArray, isJsonObject, type JsonObject } from '../../kit/json.ts';

export interface UpdatedCondition extends JsonObject {
  readonly type: 'Updated';
  readonly status: 'True' | 'False';
  readonly reason: 'OnLatestRevision' | 'RolloutProgressing' | 'RolloutWaiting';
  readonly message: string;
}

export const onLatest = (revision: string): UpdatedCondition => ({
  type: 'Updated',
  status: 'True',
  reason: 'OnLatestRevision',
  message: `latest ControllerRevision: ${revision}`,
});

export const progressing = (kind: string, name: string): UpdatedCondition => ({
  type: 'Updated',
  status: 'False',
  reason: 'RolloutProgressing',
  message: `updating ${kind} ${name}`,
});

export const waiting = (why: string): UpdatedCondition => ({
  type: 'Updated',
  status: 'False',
  reason: 'RolloutWaiting',
  message: why,
});

/** In the place of one of the same type, else behind the others. undefined: the status has no list of conditions to add it to. */
export function withCondition(status: JsonObject, condition: UpdatedCondition): JsonObject | undefined {
  const given = status['conditions'] ?? [];
  if (!isJsonArray(given)) return undefined;
  const place = given.findIndex((item) => isJsonObject(item) && item['type'] === condition.type);
  const conditions = place < 0 ? [...given, condition] : given.toSpliced(place, 1, condition);
  return { ...status, conditions };
}
