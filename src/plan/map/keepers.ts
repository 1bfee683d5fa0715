// The answers of tombstone and finalize: which outputs stay. Without an input nobody can say what an output should become,
// so nothing is edited: what is returned must be there, and be what it is.

import { getOwn, isJsonArray, isJsonObject, type JsonValue, jsonEqual } from '../../kit/json.ts';
import { formatPath, type Path } from '../../kit/path.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { HookCall } from '../../model/need.ts';
import { formatRef, keyOf, refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import { answerProblem } from '../answer/answer.ts';
import type { DesiredChild } from '../answer/answer-child.ts';

export interface Kept {
  /** As they are. */
  readonly outputs: readonly DesiredChild[];
  /** Errors: with one, nothing of the answer is to be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `returned`: in the order of the answer. It is enough to name an output; its fields may be left out. */
export function keptOf(call: HookCall, returned: readonly DesiredChild[], observed: readonly ChildGroup[]): Kept {
  const known = new Map(observed.flatMap(({ objects }) => objects.map((object) => [keyOf(object), object])));
  const outputs: DesiredChild[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, { type, object }] of returned.entries()) {
    const there = known.get(keyOf(object));
    const edit = there && firstEdit(object, there, []);
    const path = formatPath(['outputs', index, ...(edit ?? [])]);
    if (!there)
      diagnostics.push(
        answerProblem(call, {
          code: 'answer-invalid',
          path,
          problem: `is ${formatRef(refOf(object))}, which is not one of the outputs that it was asked about`,
          hint: 'Return those of the outputs in the request that are to stay.',
        }),
      );
    else if (edit)
      diagnostics.push(
        answerProblem(call, {
          code: 'answer-invalid',
          path,
          problem: 'is changed: the answer says which outputs stay, and can not edit them',
          hint: 'Return the output as it is in the request, or its apiVersion, kind and metadata.name alone.',
        }),
      );
    else outputs.push({ type, object: there });
  }
  return { outputs, diagnostics };
}

/** They move without anything of the object moving: the hook may have seen it a moment before. */
const PASSING: readonly string[] = ['resourceVersion', 'managedFields'];

/** The first place at which the answer says something else; what it leaves out is no edit. */
function firstEdit(returned: JsonValue, there: JsonValue | undefined, path: Path): Path | undefined {
  if (there !== undefined && isJsonObject(returned) && isJsonObject(there)) {
    for (const [key, value] of Object.entries(returned)) {
      if (value === undefined || (path.length === 1 && path[0] === 'metadata' && PASSING.includes(key))) continue;
      const edit = firstEdit(value, getOwn(there, key), [...path, key]);
      if (edit) return edit;
    }
    return undefined;
  }
  if (isJsonArray(returned) && isJsonArray(there) && returned.length === there.length) {
    for (const [index, value] of returned.entries()) {
      const edit = firstEdit(value, there[index], [...path, index]);
      if (edit) return edit;
    }
    return undefined;
  }
  return jsonEqual(returned, there) ? undefined : path;
}
