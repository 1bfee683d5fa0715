// The OpenAPI v3 component schemas of the built-in kinds, as the real server publishes them but without descriptions.
// Unpacked when first asked for (about 5 ms), then kept; nothing is unpacked when the sandbox starts.

import { brotliDecompressSync } from 'node:zlib';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { SCHEMAS } from '../generated/schemas.ts';
import type { SchemaFile } from './schema-file.ts';

export type ComponentSchemas = Readonly<Record<string, JsonObject>>;

const REF = '#/components/schemas/';
const NO_SCHEMAS: ComponentSchemas = {};

let file: SchemaFile | undefined;
let kinds: ReadonlyMap<string, string> | undefined;
const ofVersion = new Map<string, ComponentSchemas>();

function schemaFile(): SchemaFile {
  file ??= unpack(SCHEMAS) as SchemaFile;
  return file;
}

export function unpack(text: string): unknown {
  return JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString());
}

/** All of them, by name: "io.k8s.api.apps.v1.Deployment". Of every group and version. */
export function allSchemas(): ComponentSchemas {
  return schemaFile().schemas;
}

/** Those of the server's document of a group and version, by name; none when it is not a built-in one. */
export function schemasOf(group: string, version: string): ComponentSchemas {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const known = ofVersion.get(apiVersion);
  if (known) return known;
  const { documents, schemas } = schemaFile();
  const roots = Object.hasOwn(documents, apiVersion) ? documents[apiVersion] : undefined;
  if (!roots) return NO_SCHEMAS;
  const names = new Set<string>();
  for (const root of roots) reach(root, schemas, names);
  const found = Object.fromEntries([...names].sort().map((name) => [name, schemas[name] as JsonObject]));
  ofVersion.set(apiVersion, found);
  return found;
}

function reach(name: string, schemas: ComponentSchemas, found: Set<string>): void {
  if (found.has(name) || !schemas[name]) return;
  found.add(name);
  for (const target of referencesIn(schemas[name])) reach(target, schemas, found);
}

/** The names of the schemas that a schema refers to. */
export function referencesIn(value: JsonValue | undefined): string[] {
  if (isJsonArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child.slice(REF.length)] : referencesIn(child),
  );
}

/** The name of a built-in kind's schema: schemaName({group: 'apps', version: 'v1', kind: 'Deployment'}). */
export function schemaName(of: { group: string; version: string; kind: string }): string | undefined {
  kinds ??= indexKinds();
  return kinds.get(`${of.group}/${of.version}/${of.kind}`);
}

/** Options such as DeleteOptions stand for every group: only schemas of one kind are indexed. */
function indexKinds(): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const [name, schema] of Object.entries(allSchemas())) {
    const list = schema['x-kubernetes-group-version-kind'];
    const [only, ...more] = isJsonArray(list) ? list.filter(isJsonObject) : [];
    if (only && more.length === 0) index.set(`${only['group']}/${only['version']}/${only['kind']}`, name);
  }
  return index;
}
