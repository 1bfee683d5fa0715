import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { GivenDefinition, GivenHook, GivenResource, Items } from '../schema/given.ts';

/** One thing that must hold for a definition. Absent parts were reported by the schema: a rule passes over them. */
export type Rule = (given: GivenDefinition) => Iterable<Problem>;

/** One thing that must hold for a hook, wherever it stands. */
export type HookRule = (hook: GivenHook, path: DocumentPath) => Iterable<Problem>;

export const PARENT_PATH: DocumentPath = ['spec', 'parentResource'];
export const CHILDREN_PATH: DocumentPath = ['spec', 'childResources'];

/** The lists of resources that definitions have, and what one of a list is called. */
const LISTS = {
  childResources: 'child',
  resources: 'decorated',
  attachments: 'attachment',
  inputResources: 'input',
  outputResources: 'output',
} as const;

export interface ResourceList {
  readonly field: keyof typeof LISTS;
  readonly path: DocumentPath;
  /** "child", "decorated" … */
  readonly word: string;
  readonly items: readonly (readonly [number, GivenResource])[];
}

export function resourceLists({ spec }: GivenDefinition): ResourceList[] {
  return (Object.keys(LISTS) as (keyof typeof LISTS)[]).map((field) => ({
    field,
    path: ['spec', field],
    word: LISTS[field],
    items: indexed<GivenResource>(spec?.[field]),
  }));
}

/** The items that are there, each with its index in the file. */
export function indexed<T>(items: Items<T> | undefined): [number, T][] {
  return (items ?? []).flatMap((item, index): [number, T][] => (item === undefined ? [] : [[index, item]]));
}
