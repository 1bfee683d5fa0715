// Conflicts over fields, as the rules and people see them: by the name that the server gives the field.

import { isSecret } from '../../diff/index.ts';
import { type JsonValue, stringifyJson } from '../../kit/json.ts';
import { type Conflict, claimedFields, type FieldPath, nameOfId, pathsOf, showPath } from '../../merge/index.ts';
import type { FieldConflict } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import type { KnownKind } from './known-kinds.ts';
import { valueAt } from './value-at.ts';

export const fieldConflictsOf = (found: readonly Conflict[]): FieldConflict[] =>
  found.map(({ path, manager }) => ({ field: fieldName(path), manager: nameOfId(manager).manager ?? '' }));

const fieldName = (path: FieldPath): string => showPath(path).replace(/^\./, '');

/** The fields of what is applied, by name. */
export function pathsByName(desired: KubeObject, { kind, hasStatus }: KnownKind): ReadonlyMap<string, FieldPath> {
  const paths = pathsOf(claimedFields(desired, kind, hasStatus));
  return new Map([...paths].map((path) => [fieldName(path), path]));
}

interface BothSides {
  readonly observed: KubeObject;
  readonly desired: KubeObject;
  readonly known: KnownKind;
}

/** `data.x of "someone" (is "theirs", wanted "1")` */
export function conflictTexts(conflicts: readonly FieldConflict[], sides: BothSides): string[] {
  const paths = pathsByName(sides.desired, sides.known);
  return conflicts.map(({ field, manager }) => {
    const path = paths.get(field);
    return `${field} of ${JSON.stringify(manager)}${path ? valuesAt(path, sides) : ''}`;
  });
}

function valuesAt(path: FieldPath, { observed, desired, known }: BothSides): string {
  if (isSecret(observed)) return '';
  const [is, wanted] = [observed, desired].map((object) => shown(valueAt(object, path, known.kind)));
  return ` (is ${is}, wanted ${wanted})`;
}

const LONGEST_VALUE = 60;

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent';
  const text = stringifyJson(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
