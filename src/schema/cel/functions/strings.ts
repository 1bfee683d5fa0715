// cel-go's strings extension, as far as the evaluator does not have it, and Kubernetes' regular expressions.

import type { Environment } from '@marcbachmann/cel-js';
import { goPattern } from '../../validate/go-pattern.ts';

export function registerStrings(environment: Environment): void {
  environment
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome)
    .registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''))
    .registerFunction('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern)[0] ?? '')
    .registerFunction('string.findAll(string): list<string>', findAll)
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) => {
      const found = findAll(text, pattern);
      return limit < 0n ? found : found.slice(0, Number(limit));
    });
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > characters.length) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = limit;
  return text.replaceAll(from, () => (left-- > 0n ? to : from));
}

function findAll(text: string, pattern: string): string[] {
  const read = goPattern(pattern);
  if ('problem' in read) throw new Error(`Illegal regex: ${read.problem}`);
  return Array.from(text.matchAll(new RegExp(read.regexp.source, `${read.regexp.flags}g`)), ([match]) => match);
}
