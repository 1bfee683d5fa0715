// Which columns a kind's table has. Every kind has Name and Age; common built-ins have what kubectl users look for.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { PrinterColumn, ResourceKind, ServedVersion } from '../registry/resource-kind.ts';
import { formatAge } from './age.ts';
import { findValues } from './json-path.ts';
import { podCells } from './pod.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: with -o wide. */
  readonly priority: number;
  cell(object: KubeObject, now: number): JsonValue;
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique in its namespace.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

const AGE: Column = column('Age', (object, now) => formatAge(object.metadata.creationTimestamp, now), {
  description: 'Time since the object was created.',
});

function column(
  name: string,
  cell: Column['cell'],
  more: Partial<Pick<Column, 'type' | 'description' | 'priority'>> = {},
): Column {
  const { type = 'string', description = `${name} of the object.`, priority = 0 } = more;
  return { name, type, format: '', description, priority, cell };
}

const part = (object: JsonValue | undefined, ...path: string[]): JsonValue | undefined => {
  let value = object;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
};
const count = (value: JsonValue | undefined): number => (isJsonObject(value) ? Object.keys(value).length : 0);
const number = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);
const text = (value: JsonValue | undefined, absent = '<none>'): string =>
  value === undefined || value === '' ? absent : String(value);
const items = (value: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

const replicas = (object: KubeObject): string =>
  `${number(part(object, 'status', 'readyReplicas'))}/${number(part(object, 'spec', 'replicas') ?? 1)}`;
const numberColumn = (name: string, ...path: string[]): Column =>
  column(name, (object) => number(part(object, ...path)), { type: 'integer' });

function servicePorts(object: KubeObject): string {
  const ports = items(part(object, 'spec', 'ports')).map((port) => {
    const node = port['nodePort'] ? `:${port['nodePort']}` : '';
    return `${port['port']}${node}/${text(port['protocol'], 'TCP')}`;
  });
  return ports.length > 0 ? ports.join(',') : '<none>';
}

const SPECIFIC: Readonly<Record<string, readonly Column[]>> = {
  configmaps: [column('Data', (object) => count(object['data']) + count(object['binaryData']))],
  secrets: [column('Type', (object) => text(object['type'])), column('Data', (object) => count(object['data']))],
  namespaces: [column('Status', (object) => text(part(object, 'status', 'phase')))],
  pods: [
    column('Ready', (object) => podCells(object).ready),
    column('Status', (object) => podCells(object).status),
    column('Restarts', (object) => String(podCells(object).restarts)),
  ],
  services: [
    column('Type', (object) => text(part(object, 'spec', 'type'))),
    column('Cluster-IP', (object) => text(part(object, 'spec', 'clusterIP'))),
    column('External-IP', (object) => text(part(object, 'spec', 'externalName'))),
    column('Port(s)', servicePorts),
  ],
  'deployments.apps': [
    column('Ready', replicas),
    numberColumn('Up-to-date', 'status', 'updatedReplicas'),
    numberColumn('Available', 'status', 'availableReplicas'),
  ],
  'replicasets.apps': [
    numberColumn('Desired', 'spec', 'replicas'),
    numberColumn('Current', 'status', 'replicas'),
    numberColumn('Ready', 'status', 'readyReplicas'),
  ],
  'statefulsets.apps': [column('Ready', replicas)],
  'daemonsets.apps': [
    numberColumn('Desired', 'status', 'desiredNumberScheduled'),
    numberColumn('Current', 'status', 'currentNumberScheduled'),
    numberColumn('Ready', 'status', 'numberReady'),
  ],
  'jobs.batch': [
    column(
      'Completions',
      (object) => `${number(part(object, 'status', 'succeeded'))}/${number(part(object, 'spec', 'completions') ?? 1)}`,
    ),
  ],
  events: [
    column('Type', (object) => text(object['type'])),
    column('Reason', (object) => text(object['reason'])),
    column('Object', (object) => {
      const kind = text(part(object, 'involvedObject', 'kind'), '').toLowerCase();
      return `${kind}/${text(part(object, 'involvedObject', 'name'), '')}`;
    }),
    column('Message', (object) => text(object['message'], '')),
  ],
};

const CREATED_AT = column('Created At', (object) => object.metadata.creationTimestamp ?? null, { type: 'date' });

export function columnsOf(kind: ResourceKind, version: ServedVersion): readonly Column[] {
  if (kind.id === 'customresourcedefinitions.apiextensions.k8s.io') return [NAME, CREATED_AT];
  if (kind.custom) return [NAME, ...(version.columns?.map(customColumn) ?? [{ ...AGE, type: 'date' }])];
  return [NAME, ...(SPECIFIC[kind.id] ?? []), AGE];
}

function customColumn(from: PrinterColumn): Column {
  return {
    name: from.name,
    type: from.type,
    format: from.format ?? '',
    description: from.description ?? `Custom resource definition column (in JSONPath format): ${from.jsonPath}`,
    priority: from.priority ?? 0,
    cell: (object, now) => customCell(from.type, findValues(from.jsonPath, object), now),
  };
}

function customCell(type: string, values: readonly JsonValue[], now: number): JsonValue {
  const [value] = values;
  if (value === undefined || value === null) return null;
  if (type === 'date') return formatAge(String(value), now);
  if (type === 'string') {
    const texts = values.map((v) => (typeof v === 'object' ? JSON.stringify(v) : String(v)));
    return texts.join(' ');
  }
  return typeof value === 'object' ? null : value;
}
