// One own write that the watch has not shown yet. It lies over what the watch says (`under`) until the watch has passed
// it. The rules stand here, apart from where objects are kept.

import type { KubeObject } from '../../model/object.ts';
import { reached, type Version, versionOfObject } from './resource-version.ts';

export interface OverlayEntry {
  /** What list and watch say; goes on moving below the overlay. */
  readonly under: KubeObject | undefined;
  /** Our write's result; undefined: the object is gone, or left the scope's selector. */
  readonly written: KubeObject | undefined;
  /** UIDs under this name that we know to be gone: echoes of them are not shown. Another UID is another object. */
  readonly gone: ReadonlySet<string>;
  /** The UID that was written or deleted. */
  readonly uid: string;
  /** The write's resourceVersion; for a delete the last one known before it, as the answer has none. */
  readonly version: Version | undefined;
  /** `version` is the write's own, so that reaching it means the write was seen. */
  readonly exact: boolean;
  /** The watch will tell of it. */
  readonly shown: boolean;
  readonly recordedAt: number;
}

/** What the cache's users see. */
export function visibleOf(entry: OverlayEntry): KubeObject | undefined {
  if (entry.written !== undefined) return entry.written;
  return entry.under !== undefined && !isGone(entry, entry.under) ? entry.under : undefined;
}

/** Does this event of the watch show that it has passed our write? */
export function passedByEvent(
  entry: OverlayEntry,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  object: KubeObject,
): boolean {
  const version = versionOfObject(object);
  if (type === 'DELETED' && object.metadata.uid === entry.uid) return !entry.exact || reached(version, entry.version);
  if (entry.exact) return reached(version, entry.version);
  return !isGone(entry, object) && reached(version, entry.version);
}

/** Does a list, or a bookmark, of this resourceVersion cover our write? `under` is what it says of the name. */
export function passedByVersion(
  entry: OverlayEntry,
  version: Version | undefined,
  under: KubeObject | undefined,
): boolean {
  if (!reached(version, entry.version)) return false;
  return entry.exact || under === undefined || !isGone(entry, under);
}

function isGone(entry: OverlayEntry, object: KubeObject): boolean {
  return entry.gone.has(object.metadata.uid ?? '');
}
