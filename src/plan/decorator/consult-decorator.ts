// Asks a decorator's hook, and whether a status that it answers has a place at all.

import { isJsonObject, jsonEqual } from '../../kit/json.ts';
import type { DecoratorDefinition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatRef } from '../../model/ref.ts';
import { apiVersionOf, type KindSchema } from '../../model/resource.ts';
import { DECORATOR_WORDS } from '../answer/hook-words.ts';
import type { Claims } from '../claim/claim.ts';
import { alone, consult } from '../consult/consult.ts';
import type { Advice, Counsel } from '../consult/counsel.ts';
import { idOfCallAbout } from '../consult/payload.ts';
import type { Failure, Needed, Session } from '../parent/session.ts';

export function consultDecorator(
  definition: DecoratorDefinition,
  session: Session,
  { groups }: Claims,
): Needed | Failure | Counsel {
  const { parent } = session.view;
  const said = consult({ ...session, definition }, { parent, groups });
  const placed = said.kind === 'answer' ? withPlaceForStatus(session, said) : said;
  if (placed.kind !== 'answer') return placed;
  const counsel = alone(placed);
  // Metacontroller asks again about what it wrote itself; a hook that counts on it may be a definition of the cluster's.
  if (counsel.kind !== 'answer' || definition.fromCluster) return counsel;
  const words = DECORATOR_WORDS;
  return { ...counsel, callAbout: (other) => idOfCallAbout(other, placed.call, { definition, words }) };
}

/** Without the subresource the status is a field like others, if the kind has it: else the server would drop it each time. */
function withPlaceForStatus({ view, answers }: Session, advice: Advice): Needed | Advice {
  const { parent, parentType } = view;
  const { status, ...answer } = advice.answer;
  if (status === undefined || parentType.subresources.includes('status')) return advice;
  if (jsonEqual(status, parent['status'] ?? {})) return advice;
  const id = `schema-${apiVersionOf(parentType)}/${parentType.kind}`;
  const known = answers.get(id);
  if (known?.kind !== 'schema') return { kind: 'needs', needs: [{ kind: 'schema', id, type: parentType }] };
  if (hasStatus(known.schema)) return advice;
  return { ...advice, answer, diagnostics: [...advice.diagnostics, noPlace(advice)] };
}

/** Where the server says nothing, it is tried. */
function hasStatus(schema: KindSchema | undefined): boolean {
  const kind = schema?.components[schema.name];
  if (!isJsonObject(kind)) return true;
  const { properties } = kind;
  return kind['x-kubernetes-preserve-unknown-fields'] === true || (isJsonObject(properties) && 'status' in properties);
}

function noPlace({ call }: Advice): Diagnostic {
  const subject = call.parent;
  return {
    severity: 'warning',
    code: 'no-status-subresource',
    summary: `${call.controller}: the ${call.hookName} hook's answer for ${formatRef(subject)}: status is not written, as a ${subject.kind} has none`,
    hint: 'Leave it out, or say it in an annotation.',
    subject,
    path: 'status',
  };
}
