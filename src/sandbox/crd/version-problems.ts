// One version of a CRD: deprecation, schema, subresources, columns, selectable fields. What all versions have alike is reported
// once, for the definition.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { isJsonObject } from '../../kit/json.ts';
import {
  type CompileRules,
  definitionSchemaProblems,
  duplicateValue,
  type FieldProblem,
  findFieldPath,
  invalidValue,
  required,
  tooMany,
} from '../../schema/index.ts';
import { embeddedProblems } from './embedded-problems.ts';
import { listAt, objectAt, textAt } from './kind.ts';
import type { SharedField } from './versions.ts';

/** Problems of the fields of a version that `has` tells to look at, below a path. */
export interface VersionPart {
  readonly version: JsonObject;
  readonly path: string;
  /** Of the field with the schema: "schema" in a version, "validation" beside the versions. */
  readonly schemaName: string;
  readonly has: (field: SharedField) => boolean;
  readonly compileRules: CompileRules | undefined;
}

export function versionPartProblems({ version, path, schemaName, has, compileRules }: VersionPart): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const schema = objectAt(version['schema'])['openAPIV3Schema'];
  const subresources = objectAt(version['subresources']);
  if (has('schema') && isJsonObject(schema)) {
    const hasStatus = isJsonObject(subresources['status']);
    const checks = { hasStatus, checkEmbedded: embeddedProblems, compileRules };
    problems.push(...definitionSchemaProblems(schema, `${path}.${schemaName}`, checks));
  }
  if (has('subresources')) problems.push(...scalePathProblems(subresources['scale'], `${path}.subresources.scale`));
  if (has('additionalPrinterColumns')) {
    listAt(version['additionalPrinterColumns']).forEach((column, index) => {
      problems.push(...columnProblems(objectAt(column), `${path}.additionalPrinterColumns[${index}]`));
    });
  }
  if (has('selectableFields')) {
    const fields = listAt(version['selectableFields']).map(objectAt);
    problems.push(...selectableProblems(fields, isJsonObject(schema) ? schema : undefined, `${path}.selectableFields`));
  }
  return problems;
}

export function deprecationProblems(version: JsonObject, path: string): FieldProblem[] {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return [];
  return deprecationTexts(version['deprecated'] === true, warning).map((text) =>
    invalidValue(`${path}.deprecationWarning`, warning, text),
  );
}

function deprecationTexts(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ['can only be set for deprecated versions'];
  const texts: string[] = [];
  if (Buffer.byteLength(warning) > 256) texts.push('must be <= 256 characters long');
  if (warning === '') texts.push('must not be an empty string');
  const odd = [...warning].findIndex((character) => /[\p{C}\p{Z}]/u.test(character) && character !== ' ');
  if (odd >= 0) {
    const index = Buffer.byteLength([...warning].slice(0, odd).join(''));
    texts.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return texts;
}

function scalePathProblems(scale: JsonValue | undefined, path: string): FieldProblem[] {
  if (!isJsonObject(scale)) return [];
  const under = (name: string, roots: readonly string[], detail: string): FieldProblem[] => {
    const value = textAt(scale[name]);
    const field = `${path}.${name}`;
    if (value === '') return name === 'labelSelectorPath' ? [] : [required(field)];
    const problems = simplePathProblems(value, field);
    if (problems.length > 0 || roots.some((root) => value.startsWith(root))) return problems;
    return [invalidValue(field, value, detail)];
  };
  return [
    ...under('specReplicasPath', ['.spec.'], 'should be a json path under .spec'),
    ...under('statusReplicasPath', ['.status.'], 'should be a json path under .status'),
    ...under('labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status'),
  ];
}

function simplePathProblems(value: string, field: string): FieldProblem[] {
  return value.startsWith('.') ? [] : [invalidValue(field, value, 'must be a simple json path starting with .')];
}

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function columnProblems(column: JsonObject, path: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map((key) => textAt(column[key]));
  if (!name) problems.push(required(`${path}.name`));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (!type) problems.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) problems.push(invalidValue(`${path}.type`, type, types));
  if (format && !COLUMN_FORMATS.includes(format)) {
    problems.push(invalidValue(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  if (!jsonPath) problems.push(required(`${path}.JSONPath`));
  else problems.push(...simplePathProblems(jsonPath, `${path}.JSONPath`));
  return problems;
}

const MAX_SELECTABLE = 8;
const SELECTABLE_TYPES = ['string', 'boolean', 'integer'];

function selectableProblems(
  fields: readonly JsonObject[],
  schema: JsonObject | undefined,
  path: string,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (fields.length === 0 || !schema) return problems;
  const seen = new Set<string>();
  fields.forEach((field, index) => {
    const at = `${path}[${index}].jsonPath`;
    const jsonPath = textAt(field['jsonPath']);
    if (jsonPath === '') {
      problems.push(required(at));
      return;
    }
    const found = findFieldPath(jsonPath, schema, { brackets: false });
    if ('problem' in found) {
      problems.push(invalidValue(at, jsonPath, `is an invalid path: ${found.problem}`));
      return;
    }
    if (found.root === 'metadata') problems.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!SELECTABLE_TYPES.includes(textAt(found.schema?.['type']))) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      problems.push(invalidValue(at, jsonPath, detail));
    }
    if (seen.has(found.text)) problems.push(duplicateValue(at, jsonPath));
    seen.add(found.text);
  });
  if (seen.size > MAX_SELECTABLE) problems.push(tooMany(path, seen.size, MAX_SELECTABLE));
  return problems;
}
