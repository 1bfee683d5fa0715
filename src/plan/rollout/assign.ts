// Which revision each rolling child belongs to, before anything is moved in this step.

import type { KubeObject } from '../../model/object.ts';
import { isAsWanted } from '../children/as-wanted.ts';
import type { ChildKey } from './revision-children.ts';

export interface Candidate {
  /** What its ControllerRevision lists. */
  readonly listed: ReadonlySet<ChildKey>;
  /** The rolling children that the hook wants at this revision, in its order. */
  readonly wanted: ReadonlyMap<ChildKey, KubeObject>;
}

/**
 * Child → its revision's place in `revisions`, of which the first is the latest: only children that the latest wants, in
 * its order. To the latest go those that nobody lists (new ones) and those that are as the latest wants them already.
 */
export function assignChildren(
  revisions: readonly [Candidate, ...Candidate[]],
  observed: ReadonlyMap<ChildKey, KubeObject>,
): Map<ChildKey, number> {
  const [latest] = revisions;
  return new Map(
    [...latest.wanted].map(([key, wanted]) => {
      const existing = observed.get(key);
      if (latest.listed.has(key) || (existing && isAsWanted(existing, wanted))) return [key, 0];
      return [key, ownerAmong(revisions, key, existing) ?? 0];
    }),
  );
}

function ownerAmong(
  revisions: readonly Candidate[],
  key: ChildKey,
  existing: KubeObject | undefined,
): number | undefined {
  // One that is not there, and that its revision no longer wants, can only come as the latest wants it.
  const owners = [...revisions.keys()].filter(
    (index) => revisions[index]?.listed.has(key) && (existing || revisions[index]?.wanted.has(key)),
  );
  // Two list it after a crash between their writes: the one whose version it is, so that it is not moved twice.
  const settled = owners.find((index) => {
    const version = revisions[index]?.wanted.get(key);
    return existing && version && isAsWanted(existing, version);
  });
  return settled ?? owners[0];
}
