// The name of a revision, byte for byte as Metacontroller makes it, so that both programs create the same object. It is
// for that alone: a revision is found by its patch.

import { createHash } from 'node:crypto';
import { goJson } from '../../kit/go-json.ts';
import type { JsonObject } from '../../kit/json.ts';
import { isUnknown, UNKNOWN } from '../../kit/unknown.ts';
import type { ResourceType } from '../../model/resource.ts';

interface Named {
  readonly parentType: Pick<ResourceType, 'group' | 'resource'>;
  readonly parentUid: string;
  readonly patch: JsonObject;
}

/** An object's name has at most 253 characters, 41 of which are the hash and its dash. */
const LONGEST_PREFIX = 253 - 41;

/** `taken`: names of other revisions of the parent; somebody may have changed the patch of one by hand. */
export function revisionName({ parentType, parentUid, patch }: Named, taken: ReadonlySet<string>): string {
  const prefix = `${parentType.resource}.${parentType.group || 'core'}`.slice(0, LONGEST_PREFIX);
  if (isUnknown(parentUid)) return `${prefix}-${UNKNOWN}`;
  const json = goJson(patch);
  for (let salt = ''; ; salt += '+') {
    const name = `${prefix}-${createHash('sha1').update(parentUid).update(json).update(salt).digest('hex')}`;
    if (!taken.has(name)) return name;
  }
}
