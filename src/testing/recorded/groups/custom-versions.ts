// Several versions of one kind: conversion None, schemas that differ, defaults that come later, deprecated versions.

import type { JsonObject } from '../../../kit/json.ts';
import type { RecordedGroup } from '../case.ts';
import { CRDS_PATH, custom, definition, forget, served, specSchema } from './definition-objects.ts';

const STRING = { type: 'string' };
const one = (version: string): string => `/apis/{group}/${version}/namespaces/{ns}/gears`;
const version = (name: string, properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: specSchema(properties) },
  ...more,
});

const V1 = { both: STRING, onlyV1: STRING, added: { type: 'string', default: 'v1' } };
const BETA = { both: STRING, onlyBeta: STRING, betaDefault: { type: 'string', default: 'beta' } };
const versions = (v1: JsonObject): JsonObject[] => [
  version('v1', v1),
  version('v1beta1', BETA, { deprecated: true }),
  version('v1alpha1', BETA, { deprecated: true, deprecationWarning: 'use something else' }),
  version('v2', V1, { served: false }),
];

const crd = definition('gears', undefined, { spec: { versions: versions(V1) } });

export const CUSTOM_VERSIONS: RecordedGroup = {
  name: 'custom-versions',
  unordered: true,
  cases: [
    ...served('gears', crd),
    {
      name: 'create in v1',
      send: `POST ${one('v1')}`,
      body: custom('Gear', { spec: { both: 'a', onlyV1: 'b', onlyBeta: 'c' } }),
    },
    { name: 'v1 as v1', send: `GET ${one('v1')}/one` },
    { name: 'v1 as v1beta1', send: `GET ${one('v1beta1')}/one` },
    { name: 'list as v1beta1', send: `GET ${one('v1beta1')}?limit=5` },
    { name: 'v1 as v1alpha1', send: `GET ${one('v1alpha1')}/one` },
    { name: 'a version that is not served', send: `GET ${one('v2')}/one` },
    { name: 'a version that is not there', send: `GET ${one('v3')}/one` },
    {
      name: 'create in v1beta1',
      send: `POST ${one('v1beta1')}`,
      body: custom('Gear', { metadata: { name: 'two' }, spec: { both: 'a', onlyV1: 'b', onlyBeta: 'c' } }, 'v1beta1'),
    },
    { name: 'v1beta1 as v1', send: `GET ${one('v1')}/two` },
    {
      name: 'patch in v1beta1',
      send: `PATCH ${one('v1beta1')}/one`,
      as: 'merge',
      body: { spec: { onlyBeta: 'x', both: 'y' } },
    },
    { name: 'patched in v1beta1, as v1', send: `GET ${one('v1')}/one` },
    {
      name: 'v1 sent to v1beta1',
      send: `POST ${one('v1beta1')}`,
      body: custom('Gear', { metadata: { name: 'three' } }),
    },
    {
      name: 'a default is added',
      send: `PATCH ${CRDS_PATH}/gears.{group}`,
      as: 'merge',
      body: { spec: { versions: versions({ ...V1, later: { type: 'string', default: 'now' } }) } },
    },
    {
      name: 'the default holds',
      send: `POST ${one('v1')}?dryRun=All&fieldValidation=Strict`,
      body: custom('Gear', { metadata: { name: 'four' }, spec: { later: 'x' } }),
      until: 201,
    },
    { name: 'it is read into what was there', send: `GET ${one('v1')}/two` },
    { name: 'a selectable field that is none', send: `GET ${one('v1')}?fieldSelector=spec.both=a` },
    forget('gears'),
  ],
};
