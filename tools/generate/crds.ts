// Writes deploy/crds/compositecontrollers.yaml, decoratorcontrollers.yaml and mapcontrollers.yaml from the schemas of the
// definitions: Metacontroller's fields and our own, so that the API server keeps both. Usage: node tools/generate/crds.ts. A test compares
// the files with what this would write.
//
// Absent: defaults (the definitions that hooks are shown stay as they were written) and what the reader says in better words
// (one kind of hook, unknown fields, which the server prunes).

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFINITION_SCHEMAS, toKubectlYaml } from '../../src/definitions/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/kit/json.ts';

const fileOf = (plural: string): string => join(import.meta.dirname, `../../deploy/crds/${plural}.yaml`);

const WRITTEN = `# Written by tools/generate/crds.ts from src/definitions/schema; do not edit.
`;
const HEAD = `${WRITTEN}# Metacontroller's kind with the fields that only metactl knows. Metacontroller's own definition serves metactl too: it drops
# those fields (docs/guide/controllers-in-the-cluster.md).
`;
/** Metacontroller designed the kind and never had it. */
const MAP_HEAD = `${WRITTEN}# Of Metacontroller's group, after its design; Metacontroller does not have it (docs/guide/map-controllers.md).
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

function specOf(kind: keyof typeof DEFINITION_SCHEMAS): JsonObject {
  return toOpenApi(objectAt(DEFINITION_SCHEMAS[kind].properties?.['spec'] as unknown as JsonObject));
}

const objectAt = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

interface Kind {
  readonly kind: string;
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: JsonObject;
}

function crdOf({ kind, shortNames, description, spec }: Kind): JsonObject {
  const singular = kind.toLowerCase();
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${singular}s.metacontroller.k8s.io`,
      annotations: { 'api-approved.kubernetes.io': 'unapproved, a group that Metacontroller chose' },
    },
    spec: {
      group: 'metacontroller.k8s.io',
      scope: 'Cluster',
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular, shortNames },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: schemaOf(description, spec),
        },
      ],
    },
  };
}

function schemaOf(description: string, spec: JsonObject): JsonObject {
  return {
    openAPIV3Schema: {
      description,
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

/** Path → text of every file. */
export function renderCrds(): ReadonlyMap<string, string> {
  const composite: Kind = {
    kind: 'CompositeController',
    shortNames: ['cc', 'cctl'],
    description: 'A controller whose parents own children.',
    spec: specOf('CompositeController'),
  };
  const decorator: Kind = {
    kind: 'DecoratorController',
    shortNames: ['dec', 'decorators'],
    description: 'A controller that adds to objects of others.',
    spec: specOf('DecoratorController'),
  };
  const map: Kind = {
    kind: 'MapController',
    shortNames: ['mc', 'mapctl'],
    description: 'A controller whose parents own what is made of objects of others.',
    spec: specOf('MapController'),
  };
  return new Map(
    [composite, decorator, map].map((one) => [
      fileOf(`${one.kind.toLowerCase()}s`),
      (one === map ? MAP_HEAD : HEAD) + toKubectlYaml(crdOf(one)),
    ]),
  );
}

if (import.meta.main) for (const [file, text] of renderCrds()) writeFileSync(file, text);
