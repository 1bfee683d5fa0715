// Updates of CustomResourceDefinitions, and what their status says.

import type { JsonObject } from '../../../kit/json.ts';
import type { RecordedCase, RecordedGroup } from '../case.ts';
import { CRDS_PATH, definition, forget, served, specSchema } from './definition-objects.ts';

const STRING = { type: 'string' };
const SCHEMA = specSchema({ a: STRING });
const crd = `${CRDS_PATH}/wheels.{group}`;
const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: SCHEMA },
  ...more,
});

const patched = (name: string, spec: JsonObject, query = 'dryRun=All'): RecordedCase => ({
  name,
  send: `PATCH ${crd}?${query}`,
  as: 'merge',
  body: { spec },
});

export const CRD_UPDATES: RecordedGroup = {
  name: 'crd-updates',
  unordered: true,
  cases: [
    ...served('wheels', definition('wheels', SCHEMA)),
    { name: 'as it is served', send: `GET ${crd}` },
    patched('another group', { group: 'other.example.com' }),
    patched('another scope', { scope: 'Cluster' }),
    patched('another kind', { names: { kind: 'Rad', listKind: 'RadList' } }),
    patched('another plural', { names: { plural: 'rads' } }),
    patched('another singular', { names: { singular: 'rad', shortNames: ['rd'] } }),
    patched('another version is stored', {
      versions: [version('v1', { storage: false }), version('v2', { storage: true })],
    }),
    patched('the stored version goes', { versions: [version('v2', { storage: true })] }),
    patched('no versions', { versions: null }),
    patched('a broken schema', { versions: [version('v1', { schema: { openAPIV3Schema: specSchema({ a: {} }) } })] }),
    patched('a broken and another group', { group: 'x', versions: [version('v1', { schema: null })] }),
    patched('preserveUnknownFields', { preserveUnknownFields: true }),
    {
      name: 'status by the main resource',
      send: `PATCH ${crd}?dryRun=All`,
      as: 'merge',
      body: { status: { storedVersions: [] } },
    },
    {
      name: 'no stored versions',
      send: `PATCH ${crd}/status?dryRun=All`,
      as: 'merge',
      body: { status: { storedVersions: [] } },
    },
    forget('wheels'),
  ],
};
