// The text of src/sandbox/generated/types.ts: the Go types through which a real API server reads built-in objects. Made of a
// file with `kinds` (apiVersion/Kind → type) and `types` (type → JSON field → [protobuf number, type, flags, …]), reflected
// from the Go structs of k8s.io/api: a running server does not tell them. Embedded structs are laid into the struct that
// embeds them (their fields' numbers then have two parts); types without fields are read by code of their own there and
// named here by what they take.

type Field = readonly [number: number, type: string, flags: string, ...rest: string[]];
export interface TypesSource {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, Readonly<Record<string, Field>>>>;
}

const READ_BY_CODE: Readonly<Record<string, string>> = {
  Quantity: 'quantity',
  IntOrString: 'intOrString',
  Time: 'time',
  MicroTime: 'time',
  JSONSchemaPropsOrArray: 'schemaOrArray',
  JSONSchemaPropsOrBool: 'schemaOrBool',
  JSONSchemaPropsOrStringArray: 'schemaOrStrings',
  JSON: 'any',
  FieldsV1: 'any',
  RawExtension: 'any',
  ExtraValue: '[]string',
};
const KINDS_LEFT_OUT =
  /List$|ConversionReview$|^v1\/(API|Status|WatchEvent|PodStatusResult|RangeAllocation|SerializedReference|ComponentStatus)/;

const wrapping = (type: string): string => /^(\[\]|\{\})*/.exec(type)?.[0] ?? '';
const bare = (type: string): string => type.slice(wrapping(type).length);
const shortName = (type: string): string =>
  type.replace(/^io\.k8s\.(api|apimachinery\.pkg(\.apis)?|apiextensions-apiserver\.pkg\.apis)\./, '');

function typeText(type: string): string {
  const name = bare(type).split('.').at(-1) ?? '';
  return wrapping(type) + (READ_BY_CODE[name] ?? shortName(bare(type)));
}

/** What a DELETE carries: no kind of a group, so the source does not have it. */
const DELETE_OPTIONS =
  'gracePeriodSeconds:int64:op:1 preconditions:meta.v1.Preconditions:op:2 orphanDependents:bool:op:3 propagationPolicy:string:op:4 dryRun:[]string:o:5 ignoreStoreReadErrorWithClusterBreakingPotential:bool:op:6';

interface NamedField {
  readonly name: string;
  readonly type: string;
  readonly flags: string;
  readonly number: string;
}

function fieldsOf(source: TypesSource, type: string, prefix = ''): NamedField[] {
  const fields = Object.entries(source.types[type] ?? {}).sort(([, a], [, b]) => a[0] - b[0]);
  return fields.flatMap(([name, [number, fieldType, flags]]) =>
    flags.includes('i')
      ? fieldsOf(source, fieldType, `${prefix}${number}.`)
      : [{ name, type: fieldType, flags, number: `${prefix}${number}` }],
  );
}

export function typesText(source: TypesSource, version: string): string {
  const kinds = Object.entries(source.kinds).filter(([kind]) => !KINDS_LEFT_OUT.test(kind));
  const types = new Map<string, string>();
  const visit = (type: string): void => {
    const name = bare(type);
    if (types.has(shortName(name)) || !source.types[name] || READ_BY_CODE[name.split('.').at(-1) ?? '']) return;
    const fields = fieldsOf(source, name);
    const text = fields
      .map((field) => `${field.name}:${typeText(field.type)}:${field.flags}:${field.number}`)
      .join(' ');
    types.set(shortName(name), text);
    for (const field of fields) visit(field.type);
  };
  for (const [, type] of kinds) visit(type);
  kinds.push(['v1/DeleteOptions', 'meta.v1.DeleteOptions']);
  types.set('meta.v1.DeleteOptions', DELETE_OPTIONS);
  types.set('meta.v1.Preconditions', 'uid:string:op:1 resourceVersion:string:op:2');
  const entry = ([key, value]: readonly [string, string]): string =>
    `  ${JSON.stringify(key)}: ${JSON.stringify(value)},`;
  return [
    `// Made by tools/generate/sandbox-types.ts from the Go types of k8s.io/api as of Kubernetes ${version}. Not edited by hand.`,
    '/** apiVersion/Kind → type. */',
    'export const KIND_TYPES: Readonly<Record<string, string>> = {',
    ...kinds.map(([kind, type]) => entry([kind, shortName(type)])),
    '};',
    '/** Type → "field:type:flags:number …"; [] list, {} map; flags o omitempty, p pointer, z omitzero; protobuf number. */',
    'export const TYPES: Readonly<Record<string, string>> = {',
    ...[...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(entry),
    '};',
    '',
  ].join('\n');
}
