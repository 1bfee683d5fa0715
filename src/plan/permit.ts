// Is a rebased write still what was agreed? It is when it touches no field that the plan did not show.

import { diffObjects } from '../diff/index.ts';
import { jsonEqual } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import type { KubeObject } from '../model/object.ts';
import type { Change, Decoration } from '../model/plan.ts';

/**
 * `fresh` is the object as it is now, `rebased` what would be written over it. Changes that somebody else has made
 * already may be missing; a field that the plan does not show, or another value for it, is outside the permit.
 */
export function permits(change: Change, fresh: KubeObject, rebased: KubeObject): boolean {
  // One name goes in or out; which other names stand beside it, and where in the list, is nothing that was agreed on.
  if (change.intent?.kind === 'finalizer-add' || change.intent?.kind === 'finalizer-remove') return true;
  if (change.intent?.kind === 'decorate') return permitsDecoration(change.intent, change.before, fresh);
  const agreed = new Map(change.fields.map((field) => [formatPath(field.path), field]));
  return diffObjects(fresh, rebased).every((field) => {
    const expected = agreed.get(formatPath(field.path));
    return expected !== undefined && expected.op === field.op && jsonEqual(expected.after, field.after);
  });
}

/** What it sets stands as it did, or as it shall: beside it anything may have changed. */
function permitsDecoration(
  { labels, annotations, status }: Decoration,
  before: KubeObject | undefined,
  fresh: KubeObject,
): boolean {
  const isFree = (edits: Decoration['labels'], field: 'labels' | 'annotations'): boolean =>
    Object.entries(edits).every(([key, wanted]) => {
      const is = valueAt(fresh, field, key);
      return is === valueAt(before, field, key) || is === (wanted ?? undefined);
    });
  const keepsStatus = status === undefined || jsonEqual(fresh['status'] ?? null, before?.['status'] ?? null);
  return isFree(labels, 'labels') && isFree(annotations, 'annotations') && keepsStatus;
}

function valueAt(object: KubeObject | undefined, field: 'labels' | 'annotations', key: string): string | undefined {
  const map = object?.metadata[field] ?? {};
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
