import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { GivenComposite, GivenHook, Items } from '../schema/given.ts';

/** One thing that must hold for a definition. Absent parts were reported by the schema: a rule passes over them. */
export type Rule = (given: GivenComposite) => Iterable<Problem>;

/** One thing that must hold for a hook, wherever it stands. */
export type HookRule = (hook: GivenHook, path: DocumentPath) => Iterable<Problem>;

export const PARENT_PATH: DocumentPath = ['spec', 'parentResource'];
export const CHILDREN_PATH: DocumentPath = ['spec', 'childResources'];

/** The items that are there, each with its index in the file. */
export function indexed<T>(items: Items<T> | undefined): [number, T][] {
  return (items ?? []).flatMap((item, index): [number, T][] => (item === undefined ? [] : [[index, item]]));
}
