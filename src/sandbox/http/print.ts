// Stored objects → the text of an answer, in the form that was negotiated.

import { type JsonObject, stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { inVersion } from '../crd/custom.ts';
import { apiVersionOf, versionOf } from '../registry/resource-kind.ts';
import type { Stored } from '../store/stored.ts';
import { type IncludeObject, partialMetadata, tableOf } from '../table/table.ts';
import type { ListPage } from '../verbs/list.ts';
import type { Target } from '../verbs/target.ts';
import type { Accepted } from './negotiate.ts';
import type { Query } from './query.ts';
import { badRequest } from './status-error.ts';

export interface PrintContext {
  readonly target: Target;
  readonly accepted: Accepted;
  readonly includeObject: IncludeObject;
  readonly now: number;
}

export function includeObjectOption(query: Query): IncludeObject {
  const value = query.get('includeObject') ?? 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(`unrecognized includeObject value: "${value}"`);
}

const servedVersion = ({ target }: PrintContext): string => apiVersionOf(target.kind, target.version);

function served(stored: Stored, { target }: PrintContext): KubeObject {
  return inVersion(target.kind, target.version, stored.object);
}

/** The JSON text in the version that was asked for. */
function textOf(stored: Stored, context: PrintContext): string {
  const { kind, version } = context.target;
  if (!versionOf(kind, version)?.differs) return stored.text(servedVersion(context));
  return stringifyJson(served(stored, context));
}

export function printObject(stored: Stored, context: PrintContext, withColumns = true): string {
  const { view } = context.accepted;
  if (view === 'Object') return textOf(stored, context);
  if (view !== 'Table') return stringifyJson(partialMetadata(stored.object));
  const metadata = { resourceVersion: stored.object.metadata.resourceVersion ?? '' };
  return stringifyJson(tableOf([served(stored, context)], tableOptions(context, metadata, withColumns)));
}

function tableOptions(
  context: PrintContext,
  metadata: JsonObject,
  withColumns: boolean,
): Parameters<typeof tableOf>[1] {
  const { kind, version } = context.target;
  return { kind, version, includeObject: context.includeObject, now: context.now, metadata, withColumns };
}

export function printList(page: ListPage, context: PrintContext): string {
  const { kind } = context.target;
  const { view } = context.accepted;
  const metadata: JsonObject = {
    resourceVersion: String(page.resourceVersion),
    ...(page.continueToken === undefined
      ? kind.custom && view === 'Object'
        ? { continue: '' }
        : {}
      : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  if (view === 'Table') {
    const objects = page.items.map((item) => served(item, context));
    return stringifyJson(tableOf(objects, tableOptions(context, metadata, true)));
  }
  if (view !== 'Object') {
    const items = page.items.map((item) => partialMetadata(item.object));
    return stringifyJson({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items });
  }
  const apiVersion = servedVersion(context);
  const items = page.items.map((item) => (kind.custom ? textOf(item, context) : item.itemText()));
  return `{"kind":"${kind.listKind}","apiVersion":"${apiVersion}","metadata":${stringifyJson(metadata)},"items":[${items.join(',')}]}`;
}
