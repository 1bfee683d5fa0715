import type { DocumentPath } from '../parse/document.ts';
import type { FieldSchema } from './types.ts';

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

/** What the schema says of the value at this place of a document. */
export function schemaAt(root: FieldSchema, path: DocumentPath): FieldSchema | undefined {
  let schema: FieldSchema | undefined = root;
  for (const element of path) schema = typeof element === 'number' ? schema?.items : fieldOf(schema, element);
  return schema;
}

function fieldOf(schema: FieldSchema | undefined, name: string): FieldSchema | undefined {
  const { properties, additionalProperties } = schema ?? {};
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? (additionalProperties as FieldSchema) : undefined;
}
