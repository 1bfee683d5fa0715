// Which columns a kind's table has. Built-ins have those of the server (workload-columns.ts,
// other-columns.ts), kinds without columns of their own Name and Age.

import type { JsonValue } from '../../kit/json.ts';
import type { PrinterColumn, ResourceKind, ServedVersion } from '../registry/resource-kind.ts';
import { formatAge } from './age.ts';
import { AGE, CREATED_AT } from './age-column.ts';
import type { Column } from './cells.ts';
import { findValues } from './json-path.ts';
import { OTHER_COLUMNS } from './other-columns.ts';
import { WORKLOAD_COLUMNS } from './workload-columns.ts';

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique in its namespace.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
};

const BUILT_IN: Readonly<Record<string, readonly Column[]>> = { ...WORKLOAD_COLUMNS, ...OTHER_COLUMNS };

export function columnsOf(kind: ResourceKind, version: ServedVersion): readonly Column[] {
  if (kind.id === 'customresourcedefinitions.apiextensions.k8s.io') return [NAME, CREATED_AT];
  if (kind.custom) return [NAME, ...(version.columns?.map(customColumn) ?? [{ ...AGE, type: 'date' }])];
  return [NAME, ...(BUILT_IN[kind.id] ?? [AGE])];
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
