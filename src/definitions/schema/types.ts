// The part of JSON Schema (draft 07) that the definitions are written in, with three keywords of our own. This one
// structure feeds the validation (ajv), the JSON Schema for editors and docs/reference/definitions.md.

import type { JsonValue } from '../../kit/json.ts';

export interface FieldSchema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  /** For people: one or two sentences in Markdown. */
  readonly description: string;
  /** What is used when the field is absent; filled in by normalize/, never by the validation. */
  readonly default?: JsonValue;
  /** The first one is what a diagnostic proposes to write. */
  readonly examples?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  /** False everywhere but in metadata, status and maps with free keys. */
  readonly additionalProperties?: boolean | { readonly type: 'string' } | FieldSchema;
  readonly items?: FieldSchema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Exactly one of these properties; for editors, rules/ says it in better words. */
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  /** This version can't honour the field yet: an error, whatever it holds. The text says what it is. */
  readonly 'x-metactl-unsupported'?: string;
  /** The same for some values of the field. */
  readonly 'x-metactl-unsupported-values'?: readonly string[];
  /** The reference accepts the field and never uses it: a warning. */
  readonly 'x-metactl-unused'?: string;
}

type Extra = Partial<FieldSchema>;

export function text(description: string, extra: Extra = {}): FieldSchema {
  return { type: 'string', description, minLength: 1, ...extra };
}

export function integer(description: string, extra: Extra = {}): FieldSchema {
  return { type: 'integer', description, ...extra };
}

export function flag(description: string): FieldSchema {
  return { type: 'boolean', description, default: false };
}

export function list(description: string, items: FieldSchema, extra: Extra = {}): FieldSchema {
  return { type: 'array', description, items, ...extra };
}

/** A map of free keys to strings. */
export function textMap(description: string, extra: Extra = {}): FieldSchema {
  return { type: 'object', description, additionalProperties: { type: 'string' }, ...extra };
}

/** An object with these fields and no others. A key that ends with "*" is required. */
export function object(description: string, fields: Record<string, FieldSchema>, extra: Extra = {}): FieldSchema {
  const entries = Object.entries(fields).map(([name, field]) => [name.replace('*', ''), field] as const);
  const required = Object.keys(fields).filter((name) => name.endsWith('*'));
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(entries),
    ...(required.length > 0 ? { required: required.map((name) => name.slice(0, -1)) } : {}),
    additionalProperties: false,
    ...extra,
  };
}
