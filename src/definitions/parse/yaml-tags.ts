// Explicit tags on scalars, as go-yaml v2 treats them: the five of JSON must fit the value, !!binary is decoded, every
// other tag makes the value a string.

import { type PlainScalar, resolvePlain } from './kubectl-scalar.ts';

const PREFIX = 'tag:yaml.org,2002:';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Undefined when the value is not what the tag says. */
export function resolveTagged(tag: string, text: string): PlainScalar | undefined {
  const name = tag.startsWith(PREFIX) ? tag.slice(PREFIX.length) : '';
  if (name === 'binary') return decodeBinary(text);
  if (!['null', 'bool', 'int', 'float'].includes(name)) return { tag: 'str', value: text };
  const plain = resolvePlain(text);
  if (plain.tag === name) return plain;
  return name === 'float' && plain.tag === 'int' ? { tag: 'float', value: Number(plain.value) } : undefined;
}

function decodeBinary(text: string): PlainScalar | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  return BASE64.test(packed) ? { tag: 'str', value: Buffer.from(packed, 'base64').toString('utf8') } : undefined;
}
