// Writes docs/reference/definitions.md from the schema of the definitions. Usage: node tools/generate/definitions-doc.ts
// A test compares the page with what this would write.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFINITION_SCHEMAS } from '../../src/definitions/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../src/kit/json.ts';

export const DEFINITIONS_PAGE = join(import.meta.dirname, '../../docs/reference/definitions.md');

const HEAD = `<!-- Written by tools/generate/definitions-doc.ts from src/definitions/schema; do not edit. -->
# Controller definitions

A definition names the parents, what they own and the hooks that decide. The kinds are Metacontroller's, with a few fields of
our own (marked *metactl only*). \`metactl schema definition\` prints the JSON Schema for editors.
An unknown field is an error. So is a field marked *not supported yet*: it is never left out silently.
Relative paths and the working directory of programs are the directory of the definition's file.

`;

const EXAMPLE = `
## Example

\`\`\`yaml
apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata:
  name: hello-world
spec:
  parentResource: {apiVersion: example.com/v1, resource: helloworlds}
  childResources:
  - apiVersion: v1
    resource: pods
    updateStrategy: {method: Recreate}
  hooks:
    sync:
      version: v2
      exec: {command: [python3, sync.py], timeout: 10s}
\`\`\`
`;

interface Row {
  readonly path: string;
  readonly field: JsonObject;
  readonly required: boolean;
}

/** The page as Markdown: a table for each kind, then one for hooks, which stand in several places of each. */
export function renderDefinitionsPage(): string {
  const tables = Object.entries(DEFINITION_SCHEMAS).map(([kind, schema]) => {
    const rows = [...rowsOf(schema as unknown as JsonObject, '')];
    return `## ${kind}\n\n${table(rows.filter(({ path }) => !/^spec\.hooks\.\w+\./.test(path)))}`;
  });
  const sync = DEFINITION_SCHEMAS.CompositeController.properties?.['spec']?.properties?.['hooks']?.properties?.['sync'];
  const inner = [...rowsOf(sync as unknown as JsonObject, '')];
  return `${HEAD}${tables.join('\n')}\n## Fields of a hook\n\n${table(inner)}${EXAMPLE}`;
}

function* rowsOf(schema: JsonObject, prefix: string): Generator<Row> {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return;
  for (const [name, field] of Object.entries(properties)) {
    if (!isJsonObject(field)) continue;
    const path = `${prefix}${name}`;
    yield { path, field, required: Array.isArray(required) && required.includes(name) };
    yield* rowsOf(field, `${path}.`);
    if (isJsonObject(field['items'])) yield* rowsOf(field['items'], `${path}[].`);
  }
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ path, field, required }) => {
    const fallback = field['default'] === undefined ? '' : `\`${shown(field['default'])}\``;
    return `| \`${path}\`${required ? ' *' : ''} | ${typeOf(field)} | ${fallback} | ${textOf(field)} |`;
  });
  return `| Field (* required) | Type | Default | |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}

function typeOf(field: JsonObject): string {
  if (Array.isArray(field['enum'])) return field['enum'].map((value: JsonValue) => `\`${shown(value)}\``).join(' ');
  if (field['const'] !== undefined) return `\`${shown(field['const'])}\``;
  const items = field['items'];
  if (isJsonObject(items)) return `list of ${shown(items['type'] ?? 'object')}s`;
  return isJsonObject(field['additionalProperties']) ? 'map of strings' : shown(field['type'] ?? '');
}

function textOf(field: JsonObject): string {
  const notes = [shown(field['description'] ?? '')];
  const values = field['x-metactl-unsupported-values'];
  if (field['x-metactl-unsupported'] !== undefined) notes.push('**Not supported yet.**');
  if (Array.isArray(values)) notes.push(`**Not supported yet: ${values.join(', ')}.**`);
  if (field['x-metactl-unused'] !== undefined) notes.push(`No effect: ${shown(field['x-metactl-unused'])}.`);
  return notes.join(' ').replaceAll('|', '\\|');
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

if (import.meta.main) writeFileSync(DEFINITIONS_PAGE, renderDefinitionsPage());
