// Semantic versions.

import type { Environment } from '@marcbachmann/cel-js';

class Semver {
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    this.numbers = numbers;
    this.pre = pre;
  }
}

const NUMBER = '(0|[1-9]\\d*)';
const FORM = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?$`);

function parse(text: string): Semver | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const pre = match[4] === undefined ? [] : match[4].split('.');
  if (pre.some((part) => part === '' || /^0\d+$/.test(part))) return undefined;
  return new Semver(
    [match[1], match[2], match[3]].map((part) => BigInt(part ?? '0')),
    pre,
  );
}

/** Without a leading v and leading zeros, with minor and patch. */
function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/.exec(text) ?? [];
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return `${parts.join('.')}${rest}`;
}

function semver(text: string): Semver {
  const parsed = parse(text);
  if (!parsed)
    throw new Error(
      /^\d+\.\d+\./.test(text) ? 'Invalid character(s) found in version' : 'No Major.Minor.Patch elements found',
    );
  return parsed;
}

function compare(a: Semver, b: Semver): bigint {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1n : 1n;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return BigInt(Math.sign(b.pre.length - a.pre.length));
  for (let index = 0; index < Math.max(a.pre.length, b.pre.length); index++) {
    const order = comparePart(a.pre[index], b.pre[index]);
    if (order !== 0n) return order;
  }
  return 0n;
}

function comparePart(a: string | undefined, b: string | undefined): bigint {
  if (a === b) return 0n;
  if (a === undefined) return -1n;
  if (b === undefined) return 1n;
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return BigInt(a) < BigInt(b) ? -1n : 1n;
  if (x !== y) return x ? -1n : 1n;
  return a < b ? -1n : 1n;
}

export function registerSemver(environment: Environment): void {
  environment
    .registerType('Semver', { ctor: Semver, fields: {} })
    .registerFunction('semver(string): Semver', semver)
    .registerFunction('semver(string, bool): Semver', (text: string, loose: boolean) =>
      semver(loose ? normalized(text) : text),
    )
    .registerFunction('isSemver(string): bool', (text: string) => parse(text) !== undefined)
    .registerFunction(
      'isSemver(string, bool): bool',
      (text: string, loose: boolean) => parse(loose ? normalized(text) : text) !== undefined,
    )
    .registerFunction('Semver.major(): int', (value: Semver) => value.numbers[0] ?? 0n)
    .registerFunction('Semver.minor(): int', (value: Semver) => value.numbers[1] ?? 0n)
    .registerFunction('Semver.patch(): int', (value: Semver) => value.numbers[2] ?? 0n)
    .registerFunction('Semver.isLessThan(Semver): bool', (a: Semver, b: Semver) => compare(a, b) < 0n)
    .registerFunction('Semver.isGreaterThan(Semver): bool', (a: Semver, b: Semver) => compare(a, b) > 0n)
    .registerFunction('Semver.compareTo(Semver): int', compare)
    .registerOperator('Semver == Semver', (a: Semver, b: Semver) => compare(a, b) === 0n);
}
