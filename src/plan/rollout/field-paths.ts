// Fields of revisionHistory.fieldPaths that the parent does not have. An optional field may well be absent; a name that is
// nearly that of a field which is there, or paths none of which leads anywhere, are mistakes.

import { isJsonObject, type JsonValue } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import { type CompositeDefinition, definitionId } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import { patchOf } from './parent-patch.ts';

export function uselessPaths(definition: CompositeDefinition, parent: KubeObject): Diagnostic[] {
  const paths = definition.parent.revisionFieldPaths;
  const absent = paths.filter((path) => Object.keys(patchOf(parent, [path])).length === 0);
  return absent.flatMap((path) => {
    const meant = meantBy(path, parent);
    return meant === undefined && absent.length < paths.length ? [] : uselessPath(path, meant, { definition, parent });
  });
}

/** The path with its first unknown field replaced by the one that was probably meant. */
function meantBy(path: string, parent: KubeObject): string | undefined {
  const known: string[] = [];
  let value: JsonValue | undefined = parent;
  for (const [index, field] of path.split('.').entries()) {
    if (!isJsonObject(value)) return undefined;
    if (!Object.hasOwn(value, field)) {
      const meant = nearest(field, Object.keys(value));
      return meant && [...known, meant, ...path.split('.').slice(index + 1)].join('.');
    }
    known.push(field);
    value = value[field];
  }
  return undefined;
}

function uselessPath(
  path: string,
  meant: string | undefined,
  { definition, parent }: { readonly definition: CompositeDefinition; readonly parent: KubeObject },
): Diagnostic {
  const subject = refOf(parent);
  return {
    severity: 'warning',
    code: 'ineffective',
    summary: `${definitionId(definition)}: ${formatRef(subject)} has no field ${path}, which spec.parentResource.revisionHistory.fieldPaths names`,
    detail: 'A rolling update starts when one of these fields changes; this one never does.',
    hint: meant === undefined ? 'Name fields that the parent has, such as spec.template.' : `Did you mean ${meant}?`,
    subject,
  };
}
