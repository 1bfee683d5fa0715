// Label selectors as they stand in URLs ("app=web,tier in (a,b),!old"), read only to tell whether an object that we
// just wrote belongs into a scope. The server reads the same text for lists and watches.

import type { KubeObject } from '../../model/object.ts';

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const SET = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^\s=!<>]+)\s*(==|=|!=)\s*(\S*)$/;
/** Commas that separate requirements: those not inside parentheses. */
const SEPARATOR = /,(?![^(]*\))/;

/** undefined: the text is not a selector that we can read. */
export function parseSelector(text: string): ((object: KubeObject) => boolean) | undefined {
  const parts = text.split(SEPARATOR).map((part) => part.trim());
  const requirements = parts.filter((part) => part !== '').map(requirementOf);
  if (requirements.some((requirement) => requirement === undefined)) return undefined;
  return (object) => {
    const labels = object.metadata.labels ?? {};
    return requirements.every((requirement) => requirement?.(labels));
  };
}

function requirementOf(part: string): Requirement | undefined {
  const set = SET.exec(part);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return operator === 'in'
      ? (labels) => values.includes(own(labels, key) ?? '\0')
      : (labels) => !values.includes(own(labels, key) ?? '\0');
  }
  const equality = EQUALITY.exec(part);
  if (equality) {
    const [, key = '', operator, value = ''] = equality;
    return operator === '!=' ? (labels) => own(labels, key) !== value : (labels) => own(labels, key) === value;
  }
  const exists = /^(!?)\s*([^\s=!<>(),]+)$/.exec(part);
  if (!exists) return undefined;
  const [, not = '', key = ''] = exists;
  return (labels) => (own(labels, key) === undefined) === (not === '!');
}

function own(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
