// Writes deploy/crds/compositecontrollers.yaml from the schema of the definitions: Metacontroller's fields and our own, so that
// the API server keeps both. Usage: node tools/generate/crds.ts. A test compares the file with what this would write.
//
// Absent: defaults (the definitions that hooks are shown stay as they were written) and what the reader says in better words
// (one kind of hook, unknown fields, which the server prunes).

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionSchema, toKubectlYaml } from '../../src/definitions/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/kit/json.ts';

export const COMPOSITE_CRD = join(import.meta.dirname, '../../deploy/crds/compositecontrollers.yaml');

const HEAD = `# Written by tools/generate/crds.ts from src/definitions/schema; do not edit.
# Metacontroller's kind with the fields that only metactl knows. Metacontroller's own definition serves metactl too: it drops
# those fields (docs/guide/controllers-in-the-cluster.md).
`;

/** What means the same in a CustomResourceDefinition. */
const KEPT = ['type', 'description', 'enum', 'minimum', 'maximum', 'minItems', 'minLength', 'maxLength', 'required'];

function toOpenApi(field: JsonObject): JsonObject {
  if (field['x-metactl-unused'] !== undefined)
    return { type: 'object', description: 'Unused.', 'x-kubernetes-preserve-unknown-fields': true };
  const kept = KEPT.flatMap((key): [string, JsonValue][] => (field[key] === undefined ? [] : [[key, field[key]]]));
  const { properties, items, additionalProperties } = field;
  const inner = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    ...Object.fromEntries(kept),
    ...(inner.length === 0 ? {} : { properties: mapped(inner) }),
    ...(isJsonObject(items) ? { items: toOpenApi(items) } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: toOpenApi(additionalProperties) } : {}),
  };
}

function mapped(fields: readonly [string, JsonValue | undefined][]): JsonObject {
  return Object.fromEntries(fields.flatMap(([name, field]) => (isJsonObject(field) ? [[name, toOpenApi(field)]] : [])));
}

export function compositeCrd(): JsonObject {
  const { properties } = definitionSchema();
  const spec = isJsonObject(properties) && isJsonObject(properties['spec']) ? toOpenApi(properties['spec']) : {};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'compositecontrollers.metacontroller.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a group that Metacontroller chose' },
    },
    spec: {
      group: 'metacontroller.k8s.io',
      scope: 'Cluster',
      names: {
        kind: 'CompositeController',
        listKind: 'CompositeControllerList',
        plural: 'compositecontrollers',
        singular: 'compositecontroller',
        shortNames: ['cc', 'cctl'],
      },
      versions: [
        { name: 'v1alpha1', served: true, storage: true, subresources: { status: {} }, schema: schemaOf(spec) },
      ],
    },
  };
}

function schemaOf(spec: JsonObject): JsonObject {
  return {
    openAPIV3Schema: {
      description: 'A controller whose parents own children.',
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec,
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  };
}

export function renderCompositeCrd(): string {
  return HEAD + toKubectlYaml(compositeCrd());
}

if (import.meta.main) writeFileSync(COMPOSITE_CRD, renderCompositeCrd());
