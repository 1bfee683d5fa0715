// The data behind src/sandbox/kube-data: the OpenAPI v3 component schemas of all built-in kinds. Two files: the schemas
// without a word of prose (small, read by server-side apply, patches and validation) and the descriptions alone (large,
// read by `kubectl explain` only). Schemas of one name are equal in all documents but for the list of groups that use them.

import { brotliCompressSync, constants } from 'node:zlib';
import type { JsonObject, JsonValue, MutableJsonObject } from '../../src/kit/json.ts';
import { isJsonArray, isJsonObject } from '../../src/kit/json.ts';
import type { SchemaDescriptions, SchemaFile } from '../../src/sandbox/kube-data/schema-file.ts';
import { isBuiltInGroup } from './sandbox-resources.ts';

export interface SourceDocument {
  readonly group: string;
  readonly version: string;
  /** components.schemas of the document. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

const REF = '#/components/schemas/';
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Documents of CRDs are left out. The same documents in another order give the same file. */
export function schemaFile(documents: readonly SourceDocument[], version: string): SchemaFile {
  const builtIn = builtInDocuments(documents);
  const schemas: Record<string, JsonObject> = {};
  for (const [name, schema] of uniqueSchemas(builtIn)) schemas[name] = withoutProse(schema) as JsonObject;
  const roots = builtIn.map((document) => [apiVersionOf(document), rootsOf(document.schemas)] as const);
  return { version, documents: Object.fromEntries(roots), schemas };
}

export function descriptionsOf(documents: readonly SourceDocument[]): SchemaDescriptions {
  const descriptions: Record<string, Record<string, string>> = {};
  for (const [name, schema] of uniqueSchemas(builtInDocuments(documents))) {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const texts = Object.entries(properties).map(([property, value]) => [property, textOf(value)] as const);
    const told = [['', textOf(schema)] as const, ...texts].filter(([, text]) => text !== '');
    if (told.length > 0) descriptions[name] = Object.fromEntries(told);
  }
  return descriptions;
}

const apiVersionOf = ({ group, version }: SourceDocument): string => (group === '' ? version : `${group}/${version}`);

function builtInDocuments(documents: readonly SourceDocument[]): SourceDocument[] {
  return documents
    .filter(({ group }) => isBuiltInGroup(group))
    .sort((a, b) => byText(apiVersionOf(a), apiVersionOf(b)));
}

function uniqueSchemas(documents: readonly SourceDocument[]): [string, JsonObject][] {
  const unique = new Map<string, JsonObject>();
  for (const { schemas } of documents) {
    for (const [name, schema] of Object.entries(schemas)) if (!unique.has(name)) unique.set(name, schema);
  }
  return [...unique].sort(([a], [b]) => byText(a, b));
}

const textOf = (schema: JsonValue | undefined): string =>
  isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';

/** A property may be called "description" itself: under `properties` the keys are names. */
function withoutProse(value: JsonValue, keysAreNames = false): JsonValue {
  if (isJsonArray(value)) return value.map((item) => withoutProse(item));
  if (!isJsonObject(value)) return value;
  const kept: MutableJsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined || (key === 'description' && !keysAreNames)) continue;
    kept[key] = withoutProse(child, key === 'properties' && !keysAreNames);
  }
  return kept;
}

/** The schemas that no other one of the document refers to, in order: everything else follows from them. */
function rootsOf(schemas: Readonly<Record<string, JsonObject>>): string[] {
  const referred = new Set<string>();
  for (const [name, schema] of Object.entries(schemas)) {
    for (const target of referencesIn(schema)) if (target !== name) referred.add(target);
  }
  return Object.keys(schemas)
    .filter((name) => !referred.has(name))
    .sort(byText);
}

function referencesIn(value: JsonValue | undefined): string[] {
  if (isJsonArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child.slice(REF.length)] : referencesIn(child),
  );
}

/** A module whose only export is the value as JSON, compressed, in base64: bundlers need nothing special for it. */
export function compressedModule(
  name: string,
  value: object,
  { what, version }: { readonly what: string; readonly version: string },
): string {
  const json = Buffer.from(JSON.stringify(value));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  const text = brotliCompressSync(json, { params }).toString('base64');
  return `// Made by npm run generate:kube from kube-apiserver ${version}: ${what}, as JSON, brotli, base64. Not edited by hand.\nexport const ${name} =\n  '${text}';\n`;
}
