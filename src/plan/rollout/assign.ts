// Which revision each rolling child belongs to, before anything is moved in this step.

import type { KubeObject } from '../../model/object.ts';
import type { ApplyMode } from '../apply-mode/apply-mode.ts';
import type { ChildKey } from './revision-children.ts';

export interface Candidate {
  /** What its ControllerRevision lists. */
  readonly listed: ReadonlySet<ChildKey>;
  /** The rolling children that the hook wants at this revision, in its order. */
  readonly wanted: ReadonlyMap<ChildKey, KubeObject>;
}

interface Scene {
  readonly observed: ReadonlyMap<ChildKey, KubeObject>;
  readonly mode: ApplyMode;
}

/**
 * Child → its revision's place in `revisions`, of which the first is the latest: only children that the latest wants, in
 * its order. To the latest go those that nobody lists (new ones) and those that are as the latest wants them already.
 */
export function assignChildren(
  revisions: readonly [Candidate, ...Candidate[]],
  { observed, mode }: Scene,
): Map<ChildKey, number> {
  const [latest] = revisions;
  return new Map(
    [...latest.wanted].map(([key, wanted]) => {
      const existing = observed.get(key);
      if (latest.listed.has(key) || (existing && mode.isAsWanted(existing, wanted))) return [key, 0];
      return [key, ownerAmong(revisions, key, { existing, mode }) ?? 0];
    }),
  );
}

function ownerAmong(
  revisions: readonly Candidate[],
  key: ChildKey,
  { existing, mode }: { readonly existing: KubeObject | undefined; readonly mode: ApplyMode },
): number | undefined {
  // One that is not there, and that its revision no longer wants, can only come as the latest wants it.
  const owners = [...revisions.keys()].filter(
    (index) => revisions[index]?.listed.has(key) && (existing || revisions[index]?.wanted.has(key)),
  );
  // Two list it after a crash between their writes: the one whose version it is, so that it is not moved twice.
  const settled = owners.find((index) => {
    const version = revisions[index]?.wanted.get(key);
    return existing && version && mode.isAsWanted(existing, version);
  });
  return settled ?? owners[0];
}
