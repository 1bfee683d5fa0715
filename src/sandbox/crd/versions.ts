// The versions of a CRD as the server's own type has them: what all versions say alike stands beside them, not in them, and so
// do the paths of problems.

import { type JsonObject, jsonEqual, stringifyJson } from '../../kit/json.ts';
import { internalSchema, Shown } from '../../schema/index.ts';
import { listAt, objectAt } from './kind.ts';

const SHARED = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;
export type SharedField = (typeof SHARED)[number];

export interface InternalVersions {
  readonly versions: readonly JsonObject[];
  /** Fields that all versions have alike. */
  readonly shared: ReadonlySet<SharedField>;
  /** spec.versions as messages show it. */
  readonly shown: Shown | null;
}

export function internalVersions(spec: JsonObject): InternalVersions {
  const versions = listAt(spec['versions']).map(objectAt);
  const isShared = (field: SharedField): boolean =>
    versions.length > 0 && versions.every((version) => jsonEqual(version[field], versions[0]?.[field]));
  const shared = new Set(SHARED.filter(isShared));
  const isAbsent = spec['versions'] === undefined || spec['versions'] === null;
  const shown = isAbsent ? null : new Shown(stringifyJson(versions.map((version) => goVersion(version, shared))));
  return { versions, shared, shown };
}

/** How the server prints a version of its internal type. */
function goVersion(version: JsonObject, shared: ReadonlySet<SharedField>): JsonObject {
  const own = (field: SharedField): boolean => !shared.has(field) && version[field] !== undefined;
  const schema = objectAt(objectAt(version['schema'])['openAPIV3Schema']);
  return {
    Name: version['name'] ?? '',
    Served: version['served'] ?? false,
    Storage: version['storage'] ?? false,
    Deprecated: version['deprecated'] ?? false,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: own('schema') ? { OpenAPIV3Schema: internalSchema(schema) } : null,
    Subresources: own('subresources') ? goSubresources(objectAt(version['subresources'])) : null,
    AdditionalPrinterColumns: own('additionalPrinterColumns')
      ? listAt(version['additionalPrinterColumns']).map((column) => goColumn(objectAt(column)))
      : null,
    SelectableFields: own('selectableFields')
      ? listAt(version['selectableFields']).map((field) => ({ JSONPath: objectAt(field)['jsonPath'] ?? '' }))
      : null,
  };
}

function goSubresources(subresources: JsonObject): JsonObject {
  const scale = objectAt(subresources['scale']);
  return {
    Status: subresources['status'] === undefined ? null : {},
    Scale:
      subresources['scale'] === undefined
        ? null
        : {
            SpecReplicasPath: scale['specReplicasPath'] ?? '',
            StatusReplicasPath: scale['statusReplicasPath'] ?? '',
            LabelSelectorPath: scale['labelSelectorPath'] ?? null,
          },
  };
}

function goColumn(column: JsonObject): JsonObject {
  return {
    Name: column['name'] ?? '',
    Type: column['type'] ?? '',
    Format: column['format'] ?? '',
    Description: column['description'] ?? '',
    Priority: column['priority'] ?? 0,
    JSONPath: column['jsonPath'] ?? '',
  };
}
