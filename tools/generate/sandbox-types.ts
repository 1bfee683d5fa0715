// Writes src/sandbox/generated/types.ts: the Go types through which a real API server reads built-in objects, as far as
// JSON goes. Usage: node tools/generate/sandbox-types.ts k8s-types.json VERSION, where the file holds `kinds`
// (apiVersion/Kind → type) and `types` (type → JSON field → [protobuf number, type, flags, …]), reflected from the Go
// structs of k8s.io/api. Embedded structs are laid into the struct that embeds them; types without fields are read by
// code of their own there and named here by what they take.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Field = readonly [number: number, type: string, flags: string, ...rest: string[]];
interface Source {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, Field>>>>;
}

const READ_BY_CODE: Readonly<Record<string, string>> = {
  Quantity: 'quantity',
  IntOrString: 'intOrString',
  Time: 'time',
  MicroTime: 'time',
  JSONSchemaProps: 'any',
  JSON: 'any',
  FieldsV1: 'any',
  RawExtension: 'any',
  ExtraValue: '[]string',
};
const KINDS_LEFT_OUT =
  /(List|Options|Review|Request|Event\b.*Watch)$|^v1\/(API|Status|WatchEvent|PodStatusResult|RangeAllocation|SerializedReference|Binding|ComponentStatus)/;

const wrapping = (type: string): string => /^(\[\]|\{\})*/.exec(type)?.[0] ?? '';
const bare = (type: string): string => type.slice(wrapping(type).length);
const shortName = (type: string): string =>
  type.replace(/^io\.k8s\.(api|apimachinery\.pkg(\.apis)?|apiextensions-apiserver\.pkg\.apis)\./, '');

function typeText(type: string): string {
  const name = bare(type).split('.').at(-1) ?? '';
  return wrapping(type) + (READ_BY_CODE[name] ?? shortName(bare(type)));
}

function fieldsOf(source: Source, type: string): [string, Field][] {
  const fields = Object.entries(source.types[type] ?? {}).sort(([, a], [, b]) => a[0] - b[0]);
  return fields.flatMap(([name, field]) =>
    field[2].includes('i') ? fieldsOf(source, field[1]) : [[name, field] as [string, Field]],
  );
}

function main([file, version]: readonly string[]): void {
  if (!file || !version) throw new Error('usage: node tools/generate/sandbox-types.ts k8s-types.json VERSION');
  const source: Source = JSON.parse(readFileSync(file, 'utf8'));
  const kinds = Object.entries(source.kinds).filter(([kind]) => !KINDS_LEFT_OUT.test(kind));
  const types = new Map<string, string>();
  const visit = (type: string): void => {
    const name = bare(type);
    if (types.has(shortName(name)) || !source.types[name] || READ_BY_CODE[name.split('.').at(-1) ?? '']) return;
    const fields = fieldsOf(source, name);
    types.set(shortName(name), fields.map(([f, [, t, flags]]) => `${f}:${typeText(t)}:${flags}`).join(' '));
    for (const [, [, fieldType]] of fields) visit(fieldType);
  };
  for (const [, type] of kinds) visit(type);
  const entry = ([key, value]: readonly [string, string]): string =>
    `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`;
  const text = [
    `// Made by tools/generate/sandbox-types.ts from the Go types of k8s.io/api as of Kubernetes ${version}. Not edited by hand.`,
    '/** apiVersion/Kind → type. */',
    'export const KIND_TYPES: Readonly<Record<string, string>> = {',
    ...kinds.map(([kind, type]) => entry([kind, shortName(type)])),
    '};',
    '/** Type → "field:type:flags …"; [] list, {} map; flags o omitempty, p pointer, z omitzero. */',
    'export const TYPES: Readonly<Record<string, string>> = {',
    ...[...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(entry),
    '};',
    '',
  ].join('\n');
  writeFileSync(join(import.meta.dirname, '../../src/sandbox/generated/types.ts'), text);
}

main(process.argv.slice(2));
