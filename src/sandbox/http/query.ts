// The options of a request, read from its query (and, for a delete, from its body), refused as the server refuses them.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { Propagation } from '../registry/traits.ts';
import {
  badRequest,
  type FieldProblem,
  forbiddenField,
  internal,
  invalid,
  invalidValue,
  required,
  tooLong,
  unsupportedValue,
} from './status-error.ts';

export type Query = ReadonlyMap<string, string>;

/** Repeated parameters: the first one counts, as in the server's conversion of scalar options. */
export function parseQuery(text: string): Query {
  const query = new Map<string, string>();
  if (text === '') return query;
  for (const [key, value] of new URLSearchParams(text)) if (!query.has(key)) query.set(key, value);
  return query;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** Warn where the request does not say. */
  readonly fieldValidation: FieldValidation;
}

const FIELD_MANAGER_LIMIT = 128;

function checkOptions(kind: string, problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', problems);
}

function dryRunProblems(query: Query): FieldProblem[] {
  const dryRun = query.get('dryRun');
  return dryRun === undefined || dryRun === '' || dryRun === 'All'
    ? []
    : [unsupportedValue('dryRun', [dryRun], ['All'])];
}

/** What is wrong with the name of a manager, which stands in `field`. */
export function managerProblems(manager: string, field = 'fieldManager'): FieldProblem[] {
  if (Buffer.byteLength(manager) > FIELD_MANAGER_LIMIT) return [tooLong(field, FIELD_MANAGER_LIMIT)];
  const bad = [...manager].findIndex((c) => (c.codePointAt(0) ?? 0) < 0x20 || c === '\u007f');
  if (bad < 0) return [];
  const code = (manager.codePointAt(bad) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return [invalidValue(field, manager, `invalid character U+${code} (at position ${bad})`)];
}

/** `kind`: CreateOptions, UpdateOptions or PatchOptions. */
export function writeOptions(query: Query, kind: string): WriteOptions {
  const manager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const problems = [...dryRunProblems(query), ...managerProblems(manager)];
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation)) {
    problems.push(unsupportedValue('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  checkOptions(kind, problems);
  return {
    dryRun: query.get('dryRun') === 'All',
    fieldManager: manager,
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
  };
}

/** What a patch request must and must not say beside writeOptions. */
export function checkPatchOptions(query: Query, isApply: boolean): void {
  const problems: FieldProblem[] = [];
  if (isApply && !query.get('fieldManager')) problems.push(required('fieldManager', 'is required for apply patch'));
  if (!isApply && query.has('force'))
    problems.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  checkOptions('PatchOptions', problems);
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagation: Propagation | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** undefined: what the object itself says. */
  readonly gracePeriodSeconds: number | undefined;
}

/** Options of a delete come in the body, or in the query where there is no body. */
export function deleteOptions(query: Query, body: JsonValue | undefined): DeleteOptions {
  const options: JsonObject = isJsonObject(body) ? body : {};
  const preconditions = isJsonObject(options['preconditions']) ? options['preconditions'] : {};
  const text = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  const propagation = text(options['propagationPolicy']) ?? query.get('propagationPolicy');
  const orphan = options['orphanDependents'] ?? booleanOption(query, 'orphanDependents');
  const bodyDryRun = options['dryRun'];
  const problems = dryRunProblems(query);
  if (propagation !== undefined && orphan !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    problems.push(invalidValue('propagationPolicy', propagation, why));
  }
  if (propagation !== undefined && !['Foreground', 'Background', 'Orphan'].includes(propagation)) {
    const supported = ['Foreground', 'Background', 'Orphan', 'nil'];
    problems.push(unsupportedValue('propagationPolicy', propagation, supported));
  }
  checkOptions('DeleteOptions', problems);
  const fromOrphan = orphan === undefined || orphan === null ? undefined : orphan === true ? 'Orphan' : 'Background';
  return {
    dryRun: query.get('dryRun') === 'All' || (Array.isArray(bodyDryRun) && bodyDryRun.includes('All')),
    propagation: (propagation as Propagation | undefined) ?? fromOrphan,
    uid: text(preconditions['uid']),
    resourceVersion: text(preconditions['resourceVersion']),
    gracePeriodSeconds: gracePeriod(options['gracePeriodSeconds'] ?? integerOption(query, 'gracePeriodSeconds')),
  };
}

/** A negative one is 1, as the server has it. */
function gracePeriod(seconds: JsonValue | undefined): number | undefined {
  if (typeof seconds !== 'number') return undefined;
  return seconds < 0 ? 1 : seconds;
}

/** Anything but "false" and "0" is true, as the server reads a parameter that is there. */
export function booleanOption(query: Query, name: string): boolean | undefined {
  const value = query.get(name);
  return value === undefined ? undefined : value !== 'false' && value !== '0' && value !== 'False' && value !== 'FALSE';
}

export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly resourceVersion: string;
  readonly match: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** undefined: until the client leaves. */
  readonly timeoutSeconds: number | undefined;
}

export function listOptions(query: Query): ListOptions {
  const options = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    limit: integerOption(query, 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    watch: booleanOption(query, 'watch') ?? false,
    bookmarks: booleanOption(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanOption(query, 'sendInitialEvents'),
    timeoutSeconds: integerOption(query, 'timeoutSeconds'),
  };
  checkOptions('ListOptions', options.watch ? watchProblems(options) : listProblems(options));
  return options;
}

function listProblems(options: ListOptions): FieldProblem[] {
  const { match, resourceVersion } = options;
  const field = 'resourceVersionMatch';
  if (options.sendInitialEvents !== undefined) {
    return [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  }
  if (match === '') return [];
  const problems: FieldProblem[] = [];
  if (options.continueToken !== '') {
    problems.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (resourceVersion === '') {
    problems.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    problems.push(unsupportedValue(field, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && resourceVersion === '0') {
    problems.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return problems;
}

function watchProblems(options: ListOptions): FieldProblem[] {
  const { match, sendInitialEvents } = options;
  const field = 'resourceVersionMatch';
  const problems: FieldProblem[] = [];
  if (sendInitialEvents === undefined && match !== '') {
    problems.push(
      forbiddenField(field, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
    );
  }
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    problems.push(forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '' && match !== 'NotOlderThan') problems.push(unsupportedValue(field, match, ['NotOlderThan']));
  return problems;
}

function integerOption(query: Query, name: string): number | undefined {
  const value = query.get(name);
  if (value === undefined || value === '') return undefined;
  if (!/^[+-]?\d+$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  }
  return Number(value);
}

export const unparsableVersion = (text: string): string =>
  `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

/** The resourceVersion of an object in a write. */
export function parseWriteVersion(text: string): number {
  if (!/^\d+$/.test(text)) throw internal(unparsableVersion(text));
  return Number(text);
}
