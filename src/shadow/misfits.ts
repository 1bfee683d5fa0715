// Is a write that was seen the one that was predicted? What the server adds (defaults, generations, times of its own) and
// what others changed in the same object meanwhile count for nothing; what the writer said counts in full. The list of what
// is taken as equal stands in docs/guide/migrate.md.

import { diffObjects } from '../diff/index.ts';
import { getOwn, isJsonArray, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../kit/json.ts';
import { formatPath, type Path } from '../kit/path.ts';
import { isUnknown } from '../kit/unknown.ts';
import { LAST_APPLIED_ANNOTATION, lastAppliedOf } from '../merge/index.ts';
import { isDeleting, type KubeObject } from '../model/object.ts';
import type { Change, FieldChange } from '../model/plan.ts';
import { REVISION_API_VERSION, REVISION_KIND, storedForm } from '../plan/index.ts';
import { isApplied } from './authors.ts';
import type { SeenWrite } from './seen-writes.ts';

/** `before` is what was predicted, `after` what was seen. undefined: not even the verb is the same. */
export type Misfits = readonly FieldChange[] | undefined;

export function misfitsOf(change: Change, seen: SeenWrite, managers: readonly string[]): Misfits {
  if (change.verb === 'update' && seen.verb === 'delete') return takesLastFinalizer(change, seen) ? [] : undefined;
  if (change.verb !== seen.verb) return undefined;
  if (seen.verb === 'delete') return [];
  const { after } = seen.change;
  if (!change.after || !after) return undefined;
  if (seen.part === 'status') return ofStatus(change.after, after);
  const [predicted, actual] = [comparable(change.after), comparable(after)];
  const records = ofRecords(predicted, actual);
  const fields = diffObjects(predicted, actual).filter(isCounted(change, seen, managers));
  // With the same record the same was sent: what differs is what the server makes of it ("1000m" is "1").
  const sent = records?.length === 0 ? fields.filter(({ path }) => path[0] === 'metadata') : fields;
  return [...sent, ...(records ?? [])];
}

function takesLastFinalizer({ after }: Change, { change: { before } }: SeenWrite): boolean {
  return before !== undefined && isDeleting(before) && (after?.metadata.finalizers ?? []).length === 0;
}

/** A hook that is asked at another moment says another time. */
function ofStatus(predicted: KubeObject, seen: KubeObject): FieldChange[] {
  const statusOf = (object: KubeObject): KubeObject =>
    ({ apiVersion: '', kind: '', metadata: {}, status: getOwn(object, 'status') ?? {} }) as KubeObject;
  return diffObjects(statusOf(predicted), statusOf(seen)).filter(
    ({ before, after }) => !isUnknown(before) && !(isTime(before) && isTime(after)),
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isTime = (value: JsonValue | undefined): boolean => typeof value === 'string' && TIME.test(value);

/** Without what is no part of what is written here: times of deletion, the status of children. */
function comparable(object: KubeObject): KubeObject {
  const { deletionTimestamp: _time, deletionGracePeriodSeconds: _grace, ...metadata } = object.metadata;
  return isRevision(object) ? plainRevision({ ...object, metadata }) : { ...object, metadata };
}

const isRevision = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === REVISION_API_VERSION && kind === REVISION_KIND;

/** metactl notes in an annotation which paths a revision was made of; Metacontroller's order of names is random. */
function plainRevision(revision: KubeObject): KubeObject {
  const { annotations: _ours, ...metadata } = revision.metadata;
  const children = getOwn(revision, 'children');
  const sorted = (isJsonArray(children) ? children : []).filter(isJsonObject).map((entry) => {
    const names = getOwn(entry, 'names');
    return isJsonArray(names) ? { ...entry, names: [...names].sort() } : entry;
  });
  return { ...revision, metadata, children: sorted } as KubeObject;
}

function isCounted(change: Change, seen: SeenWrite, managers: readonly string[]): (field: FieldChange) => boolean {
  const { before, after } = seen.change;
  const ofParent = seen.object.uid !== undefined && seen.object.uid === seen.parent.uid;
  // Of what others did meanwhile nothing counts: neither predicted nor changed by this write.
  const touched = change.verb === 'create' ? undefined : [...change.fields, ...diffObjects(before, after)];
  return (field) => {
    const { path, op, before: predicted, after: actual } = field;
    if (path[0] === 'status' && !(ofParent && seen.part === 'object')) return false;
    if (isUnknown(predicted)) return false;
    if (touched && !touched.some((one) => isAlong(one.path, path))) return false;
    // What the server adds to a child, or admission, is no word of the writer: what he says is in the record, or applied.
    if (op === 'add') return ofParent ? isMetadata(path) : after !== undefined && isApplied(after, path, managers);
    return op === 'remove' || !holdsAllOf(actual, predicted);
  };
}

/** One is above the other, or they are the same. */
function isAlong(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return formatPath(one.slice(0, length)) === formatPath(other.slice(0, length));
}

const METADATA: ReadonlySet<unknown> = new Set(['labels', 'annotations', 'finalizers', 'ownerReferences']);
/** As a whole, or one of its entries. */
const isMetadata = ([top, second]: Path): boolean => top === 'metadata' && METADATA.has(second);

/** Everything that `wanted` says is so in `live`, which may say more. */
function holdsAllOf(live: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (isUnknown(wanted)) return true;
  if (isJsonObject(wanted) && isJsonObject(live))
    return Object.keys(wanted).every((key) => holdsAllOf(getOwn(live, key), getOwn(wanted, key)));
  if (isJsonArray(wanted) && isJsonArray(live))
    return wanted.length === live.length && wanted.every((item, index) => holdsAllOf(live[index], item));
  return jsonEqual(live, wanted);
}

/** What was applied, by the annotation: as values, not as text. undefined: there is none on either side. */
function ofRecords(predicted: KubeObject, seen: KubeObject): FieldChange[] | undefined {
  const [wanted, was] = [predicted, seen].map((object) => lastAppliedOf(object, LAST_APPLIED_ANNOTATION));
  if (!wanted || !was) {
    if (wanted === was) return undefined;
    const path = ['metadata', 'annotations', LAST_APPLIED_ANNOTATION];
    return [was ? { path, op: 'add', after: was } : { path, op: 'remove', before: wanted ?? null }];
  }
  return diffObjects(plainRecord(wanted), plainRecord(was));
}

function plainRecord(record: JsonObject): KubeObject {
  const { status: _status, ...rest } = record;
  const metadata = getOwn(rest, 'metadata');
  const object = { apiVersion: '', kind: '', ...rest, metadata: isJsonObject(metadata) ? metadata : {} };
  return storedForm(object as KubeObject);
}
