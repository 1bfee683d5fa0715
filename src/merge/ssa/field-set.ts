// Sets of field paths, and their algebra. A tree: what is a member at this step, and what lies below. A path with
// children below need not be a member itself. Sets are never changed once made, and results share parts with what they
// were made from; an operation that changes nothing returns its first argument, which later steps notice by identity.

import { compareElements, type PathElement } from './path-element.ts';

export interface FieldSet {
  readonly members: ReadonlySet<PathElement>;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

export type FieldPath = readonly PathElement[];

const NO_MEMBERS: ReadonlySet<PathElement> = new Set();
const NO_CHILDREN: ReadonlyMap<PathElement, FieldSet> = new Map();
export const EMPTY_SET: FieldSet = { members: NO_MEMBERS, children: NO_CHILDREN };

export const isEmptySet = (set: FieldSet): boolean => set.members.size === 0 && set.children.size === 0;

/** A set while it is being filled. */
export interface FieldSetDraft extends FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, FieldSet>;
}

export const draftSet = (): FieldSetDraft => ({ members: new Set(), children: new Map() });

/** The empty path is left out: nobody owns an object as a whole. */
export function setOfPaths(paths: Iterable<FieldPath>): FieldSet {
  const root = draftSet();
  for (const path of paths) {
    let set = root;
    for (const [index, element] of path.entries()) {
      if (index === path.length - 1) set.members.add(element);
      else set = childDraft(set, element);
    }
  }
  return root;
}

function childDraft(set: FieldSetDraft, element: PathElement): FieldSetDraft {
  const known = set.children.get(element) as FieldSetDraft | undefined;
  if (known !== undefined) return known;
  const made = draftSet();
  set.children.set(element, made);
  return made;
}

export function hasPath(set: FieldSet, path: FieldPath): boolean {
  let at: FieldSet | undefined = set;
  for (const [index, element] of path.entries()) {
    if (index === path.length - 1) return at.members.has(element);
    at = at.children.get(element);
    if (at === undefined) return false;
  }
  return false;
}

export const sizeOf = (set: FieldSet): number =>
  set.members.size + set.children.values().reduce((sum, child) => sum + sizeOf(child), 0);

/** Members in the order of FieldsV1: at each step first all members, then what lies below the children. */
export function* pathsOf(set: FieldSet, prefix: FieldPath = []): Generator<FieldPath> {
  for (const element of [...set.members].sort(compareElements)) yield [...prefix, element];
  for (const element of [...set.children.keys()].sort(compareElements))
    yield* pathsOf(set.children.get(element) ?? EMPTY_SET, [...prefix, element]);
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.members.size !== b.members.size || a.children.size !== b.children.size) return false;
  for (const element of a.members) if (!b.members.has(element)) return false;
  for (const [element, child] of a.children) {
    const other = b.children.get(element);
    if (other === undefined || !equalSets(child, other)) return false;
  }
  return true;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  let members: Set<PathElement> | undefined;
  for (const element of b.members) {
    if (a.members.has(element)) continue;
    members ??= new Set(a.members);
    members.add(element);
  }
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of b.children) {
    const own = a.children.get(element);
    const both = own === undefined ? child : union(own, child);
    if (both === own) continue;
    children ??= new Map(a.children);
    children.set(element, both);
  }
  return changed(a, members, children);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const members = keep(a.members, (element) => b.members.has(element));
  const children = each(a.children, (element, child) => {
    const other = b.children.get(element);
    return other === undefined ? EMPTY_SET : intersection(child, other);
  });
  return changed(a, members, children);
}

/** Without the members of `b`. What lies below a member of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  const members = b.members.size === 0 ? undefined : keep(a.members, (element) => !b.members.has(element));
  const children = each(a.children, (element, child) => {
    const other = b.children.get(element);
    return other === undefined ? child : difference(child, other);
  });
  return changed(a, members, children);
}

/** Without the members of `b` and all that lies below them. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  const members = b.members.size === 0 ? undefined : keep(a.members, (element) => !b.members.has(element));
  const children = each(a.children, (element, child) => {
    if (b.members.has(element)) return EMPTY_SET;
    const other = b.children.get(element);
    return other === undefined ? child : recursiveDifference(child, other);
  });
  return changed(a, members, children);
}

/** Only members that have nothing below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const members = keep(set.members, (element) => !set.children.has(element));
  return changed(
    set,
    members,
    eachOrEmpty(set.children, (_element, child) => leavesOf(child)),
  );
}

function changed(
  set: FieldSet,
  members: ReadonlySet<PathElement> | undefined,
  children: ReadonlyMap<PathElement, FieldSet> | undefined,
): FieldSet {
  if (members === undefined && children === undefined) return set;
  return { members: members ?? set.members, children: children ?? set.children };
}

/** undefined: all are kept. */
function keep(
  elements: ReadonlySet<PathElement>,
  wanted: (element: PathElement) => boolean,
): ReadonlySet<PathElement> | undefined {
  let kept: Set<PathElement> | undefined;
  for (const element of elements) {
    if (wanted(element)) continue;
    kept ??= new Set(elements);
    kept.delete(element);
  }
  return kept;
}

type Change = (element: PathElement, child: FieldSet) => FieldSet;

/** undefined: none has changed. Children that become empty go. */
function each(
  children: ReadonlyMap<PathElement, FieldSet>,
  change: Change,
): ReadonlyMap<PathElement, FieldSet> | undefined {
  let out: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of children) {
    const after = change(element, child);
    if (after === child) continue;
    out ??= new Map(children);
    if (isEmptySet(after)) out.delete(element);
    else out.set(element, after);
  }
  return out;
}

/** The same; children that become empty stay, as they do in the reference. */
function eachOrEmpty(
  children: ReadonlyMap<PathElement, FieldSet>,
  change: Change,
): ReadonlyMap<PathElement, FieldSet> | undefined {
  let out: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of children) {
    const after = change(element, child);
    if (after === child) continue;
    out ??= new Map(children);
    out.set(element, after);
  }
  return out;
}
