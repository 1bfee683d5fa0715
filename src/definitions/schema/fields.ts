import type { DocumentPath } from '../parse/document.ts';
import type { FieldSchema } from './types.ts';

/** One field of a schema: its names from the root, "[]" for the items of a list. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: FieldSchema;
  readonly required: boolean;
}

/** Every field below a schema, parents before their children, in the order of the schema. */
export function* fieldsOf(schema: FieldSchema, path: readonly string[] = []): Generator<Field> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name];
    yield { path: here, schema: field, required: schema.required?.includes(name) ?? false };
    yield* fieldsOf(field, here);
    if (field.items) yield* fieldsOf(field.items, [...here, '[]']);
  }
}

/**
 * Where a field of this name belongs that stands in the wrong map: one level further in, or in a map further out on
 * the way to `near`.
 */
export function placesOf(root: FieldSchema, name: string, near: DocumentPath): DocumentPath[] {
  const inside = Object.entries(schemaAt(root, near)?.properties ?? {})
    .filter(([, field]) => field.properties?.[name] && !field['x-metactl-unsupported'])
    .map(([child]) => [...near, child]);
  if (inside.length > 0) return inside;
  for (let depth = near.length - 1; depth > 0; depth--) {
    const outer = near.slice(0, depth);
    if (schemaAt(root, outer)?.properties?.[name]) return [outer];
  }
  return [];
}

function schemaAt(root: FieldSchema, path: DocumentPath): FieldSchema | undefined {
  let schema: FieldSchema | undefined = root;
  for (const element of path) schema = typeof element === 'number' ? schema?.items : schema?.properties?.[element];
  return schema;
}
