// Lists: pages that stay consistent, lists at a resourceVersion, selectors.

import { isJsonObject, parseJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { jsonProblem } from '../http/json-text.ts';
import { type ListOptions, unparsableVersion } from '../http/query.ts';
import { badRequest, expired, internal, tooLargeResourceVersion } from '../http/status-error.ts';
import { type FieldSelector, parseFieldSelector } from '../selectors/field.ts';
import { parseLabelSelector } from '../selectors/label.ts';
import type { Collection } from '../store/collection.ts';
import type { Stored } from '../store/stored.ts';
import type { Target } from './target.ts';

const NO_LABELS = {};

export interface Selection {
  readonly prefix: string;
  /** Set when at most one object can match: its key. */
  readonly key: string | undefined;
  readonly selective: boolean;
  matches(object: KubeObject): boolean;
}

export function selectionOf(target: Target, options: ListOptions): Selection {
  const labels = parseLabelSelector(options.labelSelector);
  const fields = parseFieldSelector(target.kind, options.fieldSelector);
  const prefix = target.namespace === undefined ? '' : `${target.namespace}/`;
  return {
    prefix,
    key: singleKey(target, fields, prefix),
    selective: labels !== undefined || fields !== undefined,
    matches: (object) =>
      (labels === undefined || labels(object.metadata.labels ?? NO_LABELS)) && (fields?.matches(object) ?? true),
  };
}

function singleKey(target: Target, fields: FieldSelector | undefined, prefix: string): string | undefined {
  if (fields?.name === undefined) return undefined;
  return target.kind.namespaced && target.namespace === undefined ? undefined : `${prefix}${fields.name}`;
}

export interface ListPage {
  readonly items: readonly Stored[];
  readonly resourceVersion: number;
  /** Absent on the last page. */
  readonly continueToken?: string;
  /** Only where no selector is given: the server does not count what it would have to filter. */
  readonly remaining?: number;
}

export function listObjects(core: Core, target: Target, options: ListOptions): ListPage {
  const selection = selectionOf(target, options);
  const collection = core.store.collection(target.kind);
  const start = startOf(core, options);
  const after = start.after === '' ? '' : `${selection.prefix}${start.after}`;
  const items = itemsAt(collection, selection, { rv: start.rv, current: core.store.resourceVersion, after });
  if (items === undefined) throw continueExpired(options, start.after);
  // A list "at least as fresh as 0" is served whole, as from the server's watch cache.
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  return page(items, selection, { rv: start.rv, limit });
}

function itemsAt(
  collection: Collection,
  selection: Selection,
  at: { rv: number; current: number; after: string },
): Iterable<Stored> | undefined {
  if (at.rv !== at.current) return collection.rangeAt(at.rv, selection.prefix, at.after);
  if (selection.key === undefined) return collection.range(selection.prefix, at.after);
  const found = selection.key > at.after ? collection.get(selection.key) : undefined;
  return found ? [found] : [];
}

function page(items: Iterable<Stored>, selection: Selection, { rv, limit }: { rv: number; limit: number }): ListPage {
  const matching: Stored[] = [];
  let more = 0;
  for (const item of items) {
    if (!selection.matches(item.object)) continue;
    if (limit > 0 && matching.length >= limit) {
      more++;
      if (selection.selective) break;
    } else matching.push(item);
  }
  const last = matching.at(-1);
  if (more === 0 || !last) return { items: matching, resourceVersion: rv };
  const { namespace, name } = last.object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const continueToken = encodeToken(rv, (key ?? '').slice(selection.prefix.length));
  return { items: matching, resourceVersion: rv, continueToken, ...(selection.selective ? {} : { remaining: more }) };
}

function encodeToken(rv: number, key: string): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv, start: `/${key}\0` });
  return Buffer.from(text).toString('base64url');
}

interface Start {
  readonly rv: number;
  /** The key within the selection's prefix after which to go on; "" from the beginning. */
  readonly after: string;
}

function startOf(core: Core, options: ListOptions): Start {
  const current = core.store.resourceVersion;
  if (options.continueToken !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const start = decodeToken(options.continueToken);
    return start.rv < 0 ? { rv: current, after: start.after } : start;
  }
  if (options.resourceVersion === '') return { rv: current, after: '' };
  const asked = parseListVersion(options.resourceVersion);
  checkNotFuture(core, options.resourceVersion);
  return { rv: options.match === 'Exact' ? asked : current, after: '' };
}

function parseListVersion(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw badRequest(
    `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${unparsableVersion(text)}`,
  );
}

/** The resourceVersion of a get: one that is not one is refused in other words than a list's. */
export function checkReadVersion(core: Core, asked: string): void {
  if (!/^\d+$/.test(asked)) {
    throw internal(`resourceVersion: Invalid value: ${JSON.stringify(asked)}: ${unparsableVersion(asked)}`);
  }
  checkNotFuture(core, asked);
}

function checkNotFuture(core: Core, asked: string): void {
  const current = core.store.resourceVersion;
  if (parseListVersion(asked) > current) throw tooLargeResourceVersion(asked, current);
}

function decodeToken(token: string): Start {
  const bad = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const bytes = Buffer.from(token, 'base64url');
  const problem = jsonProblem(bytes);
  if (problem !== undefined) throw bad(problem);
  const value = parseJson(bytes.toString());
  const { v, rv, start } = isJsonObject(value) ? value : {};
  if (v !== 'meta.k8s.io/v1') throw bad(`server does not recognize this encoded version ${JSON.stringify(v)}`);
  if (typeof rv !== 'number' || typeof start !== 'string' || !start.startsWith('/'))
    throw bad(`incorrect encoded start resourceVersion`);
  return { rv, after: start.slice(1).replace(/\0$/, '') };
}

const EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function continueExpired(options: ListOptions, after: string): Error {
  if (options.continueToken === '') {
    return expired('The resourceVersion for the provided list is too old.');
  }
  return expired(EXPIRED, encodeToken(-1, after));
}
