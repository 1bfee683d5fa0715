// CustomResourceDefinitions for tests of types, and random ones whose texts do their worst.

import type { JsonObject } from '../kit/json.ts';
import { pick } from './random-json.ts';

export interface CrdSample {
  readonly group?: string;
  readonly kind?: string;
  readonly versions: readonly JsonObject[];
}

export function crdOf({ group = 'example.com', kind = 'Web', versions }: CrdSample): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { kind, plural }, versions },
  };
}

/** A version that is served and stored unless `more` says otherwise. */
export function crdVersion(name: string, properties: JsonObject, more: JsonObject = {}): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { name, served: true, storage: true, schema, ...more };
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

/** By the name of the golden file. */
export const CRD_SAMPLES: Readonly<Record<string, readonly JsonObject[]>> = {
  'web.ts': [
    crdOf({
      versions: [
        crdVersion('v1', {
          apiVersion: text,
          kind: text,
          metadata: { type: 'object' },
          spec: object(
            {
              image: { ...text, description: 'What runs.\n\nWith its tag.' },
              replicas: { type: 'integer', format: 'int32', default: 1, minimum: 0 },
              strategy: { ...text, enum: ['Recreate', 'RollingUpdate'], default: 'Recreate' },
              port: { 'x-kubernetes-int-or-string': true, description: 'Number or name.' },
              args: { type: 'array', items: text },
              levels: { type: 'array', items: { type: 'integer', enum: [1, 2, 3] } },
              ports: {
                type: 'array',
                items: object({ name: text, port: { type: 'integer' } }, { required: ['port'] }),
              },
              labels: { type: 'object', additionalProperties: text },
              byHost: { type: 'object', additionalProperties: object({ tls: { type: 'boolean' } }) },
              ratio: { type: 'number', nullable: true },
              mode: { ...text, enum: ['a', null], nullable: true },
              anything: { 'x-kubernetes-preserve-unknown-fields': true },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              open: object({ known: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
              template: { type: 'object', 'x-kubernetes-embedded-resource': true },
              bounded: { ...text, allOf: [{ maxLength: 5 }], pattern: '^a' },
            },
            { required: ['image', 'ports'], description: 'What is wanted.' },
          ),
          status: object({ ready: { type: 'integer' } }),
        }),
      ],
    }),
  ],
  'versions.ts': [
    crdOf({
      versions: [
        crdVersion('v1', { spec: object({ image: text }) }, { storage: false }),
        crdVersion('v1beta1', { spec: object({ picture: text }) }, { deprecated: true, deprecationWarning: 'use v1' }),
        crdVersion('v1alpha1', { spec: object({ old: text }) }, { served: false, storage: false }),
      ],
    }),
  ],
  'clashes.ts': [
    crdOf({ versions: [crdVersion('v1', { spec: object({ 'a-b': object({ c: text }), aB: object({ d: text }) }) })] }),
    crdOf({ group: 'other.example.com', versions: [crdVersion('v1', { spec: object({ a: text }) })] }),
    crdOf({ kind: 'WebSpec', versions: [crdVersion('v1', { spec: object({ a: text }) })] }),
    crdOf({ kind: 'KubeObject', versions: [crdVersion('v1', { metadata: { type: 'object' } })] }),
    crdOf({
      kind: 'Metadata',
      versions: [crdVersion('v1', { a: { type: 'object', 'x-kubernetes-embedded-resource': true } })],
    }),
  ],
  'hostile.ts': [
    crdOf({
      group: "it's.example.com",
      kind: 'not-a name',
      versions: [
        crdVersion('v1', {
          class: { ...text, description: 'ends */ here\r\n * /** and \u2028 there \u0007' },
          '1st': object({ "it's": text, 'a\nb': { ...text, default: '*/' } }),
          '': object({ x: text }),
          ünïcode: object({ y: { ...text, enum: ["'", '"', '\\', '\n', '*/', '\u2029', '`$' + '{1}`', '\ud800'] } }),
          __proto__x: text,
          constructor: text,
        }),
      ],
    }),
  ],
};

const WORDS = ['a', 'spec', '*/', "'", '"', '\\', '\n', '\u2028', '`$', '//', '1', '-', 'ü', '__proto__', 'class', ' '];

/** A CRD with one version of a random schema. */
export function randomCrd(random: () => number, kind: string): JsonObject {
  const words = (): string => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, WORDS)).join('');
  const schema = (depth: number): JsonObject => {
    const said = random() < 0.3 ? { description: words() } : {};
    const inner = (): JsonObject => schema(depth + 1);
    const kinds: (() => JsonObject)[] = [
      () => ({ type: 'string', enum: [words(), words()] }),
      () => ({ type: 'integer', nullable: true, default: 1 }),
      () => ({ 'x-kubernetes-int-or-string': true }),
      () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
      () => ({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    ];
    const nested: (() => JsonObject)[] = [
      () => ({ type: 'array', items: inner() }),
      () => ({ type: 'object', additionalProperties: inner() }),
      () => ({ type: 'object', properties: { [words()]: inner(), [words()]: inner() }, required: [words()] }),
    ];
    return { ...pick(random, depth > 4 ? kinds : [...kinds, ...nested, ...nested])(), ...said };
  };
  const properties = { [words()]: schema(0), spec: schema(0), status: schema(0) };
  return crdOf({ kind, versions: [crdVersion('v1', properties)] });
}
