// Schemas of kinds from /openapi/v3: the index says which documents there are, each is read when a kind in it is asked for.
// A document is kept as long as the index names it by the same hash. The index is read again after refresh(), and for a kind
// that is missing, as the server publishes a new CRD's document about a second after the CRD is served.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KindSchema, ResourceType } from '../../model/resource.ts';
import { isApiError } from '../../ports/errors.ts';
import type { SchemaReader } from '../../ports/schemas.ts';
import type { Caller } from './caller.ts';
import { groupVersionPath } from './paths.ts';

interface Document {
  readonly components: JsonObject;
  /** Kind → name of its component. */
  readonly kinds: ReadonlyMap<string, string>;
}

export function createSchemaReader(caller: Caller): SchemaReader & { refresh(): void } {
  const documents = new Map<string, Promise<Document>>();
  let index: Promise<JsonObject> | undefined;

  const urlOf = async (path: string, again: boolean): Promise<string | undefined> => {
    if (again) index = undefined;
    index ??= readIndex(caller).catch((error: unknown) => {
      index = undefined;
      throw error;
    });
    const entry = (await index)[path];
    const url = isJsonObject(entry) ? entry['serverRelativeURL'] : undefined;
    return typeof url === 'string' ? url : undefined;
  };

  const documentAt = (url: string, type: ResourceType): Promise<Document> => {
    const kept = documents.get(url);
    if (kept) return kept;
    const reading = readDocument(caller, url, type).catch((error: unknown) => {
      documents.delete(url);
      throw error;
    });
    documents.set(url, reading);
    return reading;
  };

  const find = async (type: ResourceType, again: boolean): Promise<KindSchema | undefined> => {
    const url = await urlOf(groupVersionPath(type).slice(1), again);
    if (url === undefined) return undefined;
    const { components, kinds } = await documentAt(url, type);
    const name = kinds.get(type.kind);
    return name === undefined ? undefined : { components, name };
  };

  return {
    schemaOf: async (type) => (await find(type, false)) ?? (await find(type, true)),
    refresh: () => {
      index = undefined;
    },
  };
}

async function readIndex(caller: Caller): Promise<JsonObject> {
  try {
    const { paths } = await caller.json({ method: 'GET', path: '/openapi/v3' });
    return isJsonObject(paths) ? paths : {};
  } catch (error) {
    // Before Kubernetes 1.27 it could be switched off; users who may not read it are told the same.
    if (isApiError(error, 404) || isApiError(error, 403)) return {};
    throw error;
  }
}

async function readDocument(caller: Caller, url: string, type: ResourceType): Promise<Document> {
  const { components } = await readUrl(caller, url);
  const schemas = isJsonObject(components) && isJsonObject(components['schemas']) ? components['schemas'] : {};
  const kinds = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) for (const kind of kindsOf(schema, type)) kinds.set(kind, name);
  return { components: schemas, kinds };
}

/** Where the document has changed since the index was read, the server sends whoever names its old hash to the new one. */
async function readUrl(caller: Caller, url: string): Promise<JsonObject> {
  try {
    return await caller.json({ method: 'GET', path: url });
  } catch (error) {
    const [path = url] = url.split('?');
    if (!isApiError(error, 301) || path === url) throw error;
    return caller.json({ method: 'GET', path });
  }
}

/** Helpers such as DeleteOptions stand for the kinds of all groups: only those of this group and version count. */
function kindsOf(schema: JsonValue | undefined, { group, version }: ResourceType): string[] {
  const list = isJsonObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  if (!isJsonArray(list)) return [];
  return list.flatMap((entry) =>
    isJsonObject(entry) && entry['group'] === group && entry['version'] === version && typeof entry['kind'] === 'string'
      ? entry['kind']
      : [],
  );
}
