// meta.k8s.io/v1 Table and PartialObjectMetadata: the views that kubectl get and metadata-only clients ask for.

import type { JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { type ResourceKind, versionOf } from '../registry/resource-kind.ts';
import type { Column } from './cells.ts';
import { columnsOf } from './columns.ts';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly kind: ResourceKind;
  readonly version: string;
  readonly includeObject: IncludeObject;
  readonly now: number;
  /** Of the list; of the object where the table is of one. */
  readonly metadata: JsonObject;
  /** False in all but the first event of a watch. */
  readonly withColumns: boolean;
}

export function partialMetadata(object: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

export function tableOf(objects: readonly KubeObject[], options: TableOptions): JsonObject {
  const version = versionOf(options.kind, options.version);
  const columns = version ? columnsOf(options.kind, version) : [];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.withColumns ? columns.map(definition) : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, options.now)),
      object: included(object, options.includeObject),
    })),
  } as unknown as JsonObject;
}

const definition = ({ name, type, format, description, priority }: Column): JsonObject => ({
  name,
  type,
  format,
  description,
  priority,
});

function included(object: KubeObject, what: IncludeObject): JsonObject | null {
  if (what === 'None') return null;
  return what === 'Object' ? object : partialMetadata(object);
}
