// CustomResourceDefinitions → one TypeScript module: for each version an interface of its kind, with those that it refers to.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import type { DiagnosticCode } from '../model/diagnostic.ts';
import { Declarations } from './declarations.ts';
import { lineComment, pascalCase, stringLiteral } from './text.ts';

export interface CrdProblem {
  readonly code: DiagnosticCode;
  /** From the root of the CRD. */
  readonly path: readonly (string | number)[];
  readonly summary: string;
  readonly hint?: string;
}

export interface CrdTypes {
  /** The whole module. */
  readonly text: string;
  /** Of each CRD that is in it, the name of its type. */
  readonly names: readonly string[];
  /** Of each CRD, in the order given. With any of them the module lacks something. */
  readonly problems: readonly (readonly CrdProblem[])[];
}

export interface CrdTypesOptions {
  /** This version alone, of the CRDs that have it. Default: all that are served. */
  readonly version?: string;
}

/** Begins each module, so that it is known again. */
export const TYPES_HEADING =
  '// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.';

const IMPORTED = ['KubeObject', 'Metadata'];
const CRD_API_VERSION = 'apiextensions.k8s.io/v1';

interface Version {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isStored: boolean;
  /** Why not to use it any more. */
  readonly deprecated?: string;
}

interface Crd {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly Version[];
}

export function typesOfCrds(crds: readonly JsonObject[], options: CrdTypesOptions = {}): CrdTypes {
  const declarations = new Declarations(IMPORTED);
  const read = crds.map((crd) => readCrd(crd, options));
  const origins: string[] = [];
  const names: string[] = [];
  for (const { crd } of read) {
    if (!crd || crd.versions.length === 0) continue;
    origins.push(lineComment(`${crd.kind} of ${crd.group}: ${crd.versions.map(({ name }) => name).join(', ')}`));
    names.push(addKind(crd, declarations));
  }
  const imports = IMPORTED.filter((name) => name !== 'KubeObject' || declarations.embeds).join(', ');
  const head = [TYPES_HEADING, ...origins, '', `import type { ${imports} } from 'metactl';`, ''];
  return { text: `${head.join('\n')}\n${declarations.text()}`, names, problems: read.map(({ problems }) => problems) };
}

/** One version has the kind's name; of several each has its own as well, and the kind's name means the one that is stored. */
function addKind({ group, kind, versions }: Crd, declarations: Declarations): string {
  const name = declarations.claim(pascalCase(kind));
  const stored = versions.find(({ isStored }) => isStored) ?? versions[0];
  const names = new Map(
    versions.map((version) => [
      version,
      versions.length === 1 ? name : declarations.claim(`${name}${pascalCase(version.name)}`),
    ]),
  );
  if (versions.length > 1) declarations.addAlias(name, stored ? (names.get(stored) ?? name) : name);
  for (const [version, own] of names) {
    const { description } = version.schema;
    const said = typeof description === 'string' ? [description] : [];
    declarations.addObject({
      name: own,
      schema: version.schema,
      doc: version.deprecated === undefined ? said : [...said, `@deprecated ${version.deprecated}`],
      given: [
        { name: 'apiVersion', type: stringLiteral(`${group}/${version.name}`) },
        { name: 'kind', type: stringLiteral(kind) },
        { name: 'metadata', type: 'Metadata' },
      ],
    });
  }
  return name;
}

function readCrd(object: JsonObject, { version: only }: CrdTypesOptions): { crd?: Crd; problems: CrdProblem[] } {
  if (object['apiVersion'] !== CRD_API_VERSION)
    return {
      problems: [
        {
          code: 'unsupported',
          path: ['apiVersion'],
          summary: `A CustomResourceDefinition of ${JSON.stringify(object['apiVersion'])} can not be read`,
          hint: `Write it for ${CRD_API_VERSION}: the schema is in each version there.`,
        },
      ],
    };
  const problems: CrdProblem[] = [];
  const group = textAt(object, ['spec', 'group'], problems);
  const kind = textAt(object, ['spec', 'names', 'kind'], problems);
  const all = valueAt(object, ['spec', 'versions']);
  if (!isJsonArray(all) || all.length === 0) {
    problems.push({ code: 'missing-field', path: ['spec', 'versions'], summary: 'There is no list of versions' });
    return { problems };
  }
  const chosen = all.flatMap((version, index) => (isChosen(version, only) ? [{ version, index }] : []));
  const versions = chosen.flatMap(({ version, index }) => readVersion(version, index, problems) ?? []);
  if (group === undefined || kind === undefined) return { problems };
  return { crd: { group, kind, versions }, problems };
}

function isChosen(version: JsonValue, only: string | undefined): boolean {
  if (!isJsonObject(version)) return true;
  return only === undefined ? version['served'] !== false : version['name'] === only;
}

function readVersion(version: JsonValue, index: number, problems: CrdProblem[]): Version | undefined {
  const path = ['spec', 'versions', index];
  const name = isJsonObject(version) ? version['name'] : undefined;
  if (!isJsonObject(version) || typeof name !== 'string' || name === '') {
    problems.push({ code: 'missing-field', path, summary: 'A version without a name' });
    return undefined;
  }
  const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
  if (!isJsonObject(schema)) {
    const summary = `Version ${name} has no schema`;
    problems.push({ code: 'missing-field', path, summary, hint: 'Add schema.openAPIV3Schema.' });
    return undefined;
  }
  problems.push(...schemaProblems(schema, [...path, 'schema', 'openAPIV3Schema']));
  const warning = version['deprecationWarning'];
  const deprecated = typeof warning === 'string' ? warning : 'The definition says so.';
  return {
    name,
    schema,
    isStored: version['storage'] === true,
    ...(version['deprecated'] === true ? { deprecated } : {}),
  };
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** A path by its last step: as lists, the paths of a deep file would be longer than the file squared. */
interface Step {
  readonly key: string;
  readonly above: Step | undefined;
}

function pathOf(step: Step | undefined): string[] {
  const path: string[] = [];
  for (let at = step; at; at = at.above) path.unshift(at.key);
  return path;
}

/** What is no schema, and types that there are not. The rest of a bad schema is the API server's to refuse. */
function* schemaProblems(root: JsonObject, from: CrdProblem['path']): Generator<CrdProblem> {
  // No recursion: a file may be deeper than the stack.
  const todo: { schema: JsonValue; at: Step | undefined }[] = [{ schema: root, at: undefined }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { schema, at } = next;
    const problem = (code: DiagnosticCode, key: string | undefined, summary: string): CrdProblem => ({
      code,
      path: [...from, ...pathOf(at), ...(key === undefined ? [] : [key])],
      summary,
    });
    if (!isJsonObject(schema)) {
      yield problem('wrong-type', undefined, 'A schema must be a map');
      continue;
    }
    const { type, properties, items, additionalProperties } = schema;
    if (type !== undefined && !TYPES.includes(type as string))
      yield problem('invalid-value', 'type', `There is no type ${JSON.stringify(type)}: write ${TYPES.join(', ')}`);
    if (properties !== undefined && !isJsonObject(properties))
      yield problem('wrong-type', 'properties', 'properties must be a map');
    const inner = isJsonObject(properties) ? Object.entries(properties).reverse() : [];
    const below = { key: 'properties', above: at };
    for (const [key, value] of inner) todo.push({ schema: value ?? null, at: { key, above: below } });
    if (items !== undefined) todo.push({ schema: items, at: { key: 'items', above: at } });
    if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
      todo.push({ schema: additionalProperties, at: { key: 'additionalProperties', above: at } });
  }
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function textAt(object: JsonObject, path: readonly string[], problems: CrdProblem[]): string | undefined {
  const value = valueAt(object, path);
  if (typeof value === 'string' && value !== '') return value;
  const summary = `${path.join('.')} must be a text`;
  problems.push({ code: value === undefined ? 'missing-field' : 'wrong-type', path, summary });
  return undefined;
}
