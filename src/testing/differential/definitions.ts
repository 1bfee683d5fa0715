// The two CRDs of the comparison: one with every kind of list and map, defaults, status and scale; one that keeps what it
// does not know.

import type { JsonObject } from '../../kit/json.ts';
import { GROUP } from './kinds.ts';

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const textMap: JsonObject = { type: 'object', additionalProperties: text };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const keyed = (...keys: string[]): JsonObject => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

const condition = object(
  {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
  { required: ['type'] },
);

const widget = object({
  spec: object({
    replicas: integer,
    color: { type: 'string', default: 'red' },
    items: list(object({ name: text, v: integer, note: text }, { required: ['name'] }), keyed('name')),
    tags: list(text, { 'x-kubernetes-list-type': 'set' }),
    atomicMap: { ...textMap, 'x-kubernetes-map-type': 'atomic' },
    list: list(integer),
    labels: textMap,
    ports: list(
      object({ port: integer, protocol: { type: 'string', default: 'TCP' } }, { required: ['port'] }),
      keyed('port', 'protocol'),
    ),
    nested: object({ a: text, b: textMap }),
  }),
  status: object({ replicas: integer, conditions: list(condition, keyed('type')), note: text }),
});

const gadget = object({
  port: { 'x-kubernetes-int-or-string': true },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  size: text,
  optional: { type: 'string', nullable: true },
});

const definition = (plural: string, kind: string, version: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [{ name: 'v1', served: true, storage: true, ...version }],
  },
});

export const DEFINITIONS: readonly JsonObject[] = [
  definition('widgets', 'Widget', {
    schema: { openAPIV3Schema: widget },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  }),
  definition('gadgets', 'Gadget', { schema: { openAPIV3Schema: gadget } }),
];
