// Hints of component-operator-runtime (behaviour: docs of its status analyzer): an author says in an annotation which of
// the optional signs of health an object is known to give, so that their absence means "not yet" and not "never".
// The hints are worked into a copy of the object; the rules then need not know about them.

import type { JsonObject } from '../kit/json.ts';
import { isJsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { conditionOf, numberAt, objectsAt } from './fields.ts';

export type Hinted =
  | { readonly object: KubeObject; readonly conditions: readonly string[] }
  | { readonly error: string };

interface Hint {
  readonly name: string;
  readonly value: string | undefined;
}

/** Comma-separated, names in kebab-case or CamelCase: has-observed-generation, has-ready-condition, conditions=A;B. */
export function applyHints(object: KubeObject, text: string): Hinted {
  let hinted = object;
  const conditions: string[] = [];
  for (const { name, value } of text.split(',').map(parseHint)) {
    if (name === 'conditions') {
      if (value === undefined) return { error: 'status hint conditions requires a value' };
      conditions.push(...value.split(';'));
    } else if (name === 'has-observed-generation' || name === 'has-ready-condition') {
      if (value !== undefined) return { error: `status hint ${name} does not take a value` };
      hinted = name === 'has-ready-condition' ? withReadyCondition(hinted) : withObservedGeneration(hinted);
    } else {
      return { error: `unknown status hint ${name}` };
    }
  }
  return { object: hinted, conditions };
}

function parseHint(text: string): Hint {
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).trim();
  const kebab = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return { name: kebab, value: equals < 0 ? undefined : text.slice(equals + 1).trim() };
}

function withObservedGeneration(object: KubeObject): KubeObject {
  if (numberAt(object, 'status', 'observedGeneration') !== undefined) return object;
  return withStatus(object, { observedGeneration: conditionOf(object, 'Ready')?.observedGeneration ?? -1 });
}

function withReadyCondition(object: KubeObject): KubeObject {
  if (conditionOf(object, 'Ready')) return object;
  return withStatus(object, {
    conditions: [...objectsAt(object, 'status', 'conditions'), { type: 'Ready', status: 'Unknown' }],
  });
}

function withStatus(object: KubeObject, fields: JsonObject): KubeObject {
  const status = isJsonObject(object['status']) ? object['status'] : {};
  return { ...object, status: { ...status, ...fields } };
}
