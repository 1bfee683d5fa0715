// What is said of a write that does not stay: which field, from what to what, and what to do about it.

import { type JsonValue, stringifyJson } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Change, FieldChange } from '../model/plan.ts';
import { formatRef } from '../model/ref.ts';

export interface Restlessness {
  /**
   * put-back: the field has its old value again after each write. alternates: both ways were written.
   * restless: another value each time. short-lived: children come and go again, and nothing else has changed.
   */
  readonly kind: 'put-back' | 'alternates' | 'restless' | 'short-lived';
  readonly fields: readonly FieldChange[];
}

const LONGEST_VALUE = 60;

const HINTS: Readonly<Record<Restlessness['kind'], string>> = {
  'put-back':
    'The server writes the value in another way, has a default of its own or drops the field, or somebody else sets it: let the hook return what stays, or leave the field out.',
  alternates: "The hook's answer must depend on its request alone: the same state must lead to the same answer.",
  restless: "Leave out of the hook's answer what is different in every call, such as the time or a random value.",
  'short-lived': 'The names of children must follow from the request alone: leave out times and random parts.',
};

export function notStable(change: Change, { kind, fields }: Restlessness): Diagnostic {
  const told = fields.map((field) => fieldText(change, field));
  return {
    severity: 'warning',
    code: 'not-stable',
    summary: `${formatRef(change.object)}: ${told[0] ?? 'a field'}${SAYING[kind]}`,
    detail: [
      ...(told.length > 1 ? ['So do:', ...told.slice(1, 10).map((text) => `  ${text}`)] : []),
      'It is written again after a delay that doubles each time; it will not settle as it is.',
    ].join('\n'),
    hint: HINTS[kind],
    subject: change.object,
    ...(fields[0] && fields[0].path.length > 0 ? { path: formatPath(fields[0].path) } : {}),
  };
}

const SAYING: Readonly<Record<Restlessness['kind'], string>> = {
  'put-back': ', written before, and back again',
  alternates: ', and the other way round, over and over',
  restless: ', another value each time it is written',
  'short-lived': ', as others before it that came and went again although nothing else had changed',
};

function fieldText({ object, subresource }: Change, { path, op, before, after }: FieldChange): string {
  if (path.length === 0) return op === 'add' ? 'is created' : 'is deleted';
  const name =
    subresource === undefined || path[0] === subresource ? formatPath(path) : formatPath([subresource, ...path]);
  // The values of a Secret have no place in a message.
  if (object.kind === 'Secret') return `${name} goes from one value to another`;
  return `${name} goes from ${valueText(before)} to ${valueText(after)}`;
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = stringifyJson(value);
  // Whole or not at all: part of a Secret's value would not be recognised, and not be masked, when it is shown.
  return text.length > LONGEST_VALUE ? `a value of ${text.length} characters` : text;
}
