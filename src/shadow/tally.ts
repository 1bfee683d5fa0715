// Findings → the report, with everything in it masked when it goes in: what a Secret holds is never kept here.

import { createRedactor, diffObjects, isSecret } from '../diff/index.ts';
import { isJsonArray, isJsonObject, type JsonValue, type MutableJsonObject, setOwn } from '../kit/json.ts';
import { formatPath } from '../kit/path.ts';
import type { KubeObject } from '../model/object.ts';
import type { FieldChange } from '../model/plan.ts';
import { type Ref, refOf } from '../model/ref.ts';
import type { ShadowCounts, ShadowField, ShadowMiss, ShadowReport } from '../model/shadow.ts';
import type { Finding, Missed } from './book.ts';
import { misfitsOf } from './misfits.ts';

export interface TallyOptions {
  readonly managers: readonly string[];
  readonly windowMs: number;
  /** Masks known Secret values in text. */
  readonly mask: (text: string) => string;
  /** Of the steady clock → RFC 3339. */
  readonly timeOf: (at: number) => string;
}

const MOST_FOUND = 1_000;
const MOST_FIELDS = 50;

export class Tally {
  readonly #options: TallyOptions;
  readonly #since: number;
  readonly #counts = new Map<string, { hits: number; misses: number; passing: number }>();
  #found: ShadowMiss[] = [];
  #leftOut = 0;

  constructor(options: TallyOptions, since: number) {
    this.#options = options;
    this.#since = since;
  }

  /** A miss, as it may be shown; undefined for everything else. */
  add(finding: Finding): ShadowMiss | undefined {
    const counts = this.#countsOf(finding.controller);
    if (finding.kind === 'hit') counts.hits++;
    if (finding.kind === 'passing') counts.passing++;
    if (finding.kind !== 'miss') return undefined;
    counts.misses++;
    const miss = this.#shown(finding);
    this.#found.push(miss);
    if (this.#found.length > MOST_FOUND) this.#leftOut++;
    this.#found = this.#found.slice(-MOST_FOUND);
    return miss;
  }

  report(now: number, open: ReadonlyMap<string, number>): ShadowReport {
    for (const controller of open.keys()) this.#countsOf(controller);
    const controllers = [...this.#counts]
      .map(([controller, counts]) => ({ controller, ...counts, open: open.get(controller) ?? 0 }))
      .sort((a, b) => (a.controller < b.controller ? -1 : 1));
    const total = (of: keyof ShadowCounts): number => controllers.reduce((sum, counts) => sum + counts[of], 0);
    return {
      ...{ hits: total('hits'), misses: total('misses'), passing: total('passing'), open: total('open') },
      since: this.#options.timeOf(this.#since),
      until: this.#options.timeOf(now),
      windowSeconds: this.#options.windowMs / 1_000,
      controllers,
      found: [...this.#found],
      leftOut: this.#leftOut,
    };
  }

  #countsOf(controller: string) {
    const counts = this.#counts.get(controller) ?? { hits: 0, misses: 0, passing: 0 };
    this.#counts.set(controller, counts);
    return counts;
  }

  #shown(missed: Missed): ShadowMiss {
    const { how: kind, controller, parent, at, predicted, seen, note } = missed;
    const object = seen?.object ?? predicted?.object ?? parent;
    const isStatus = seen ? seen.part === 'status' : predicted?.subresource === 'status';
    const verb = isStatus ? 'status' : (seen?.verb ?? predicted?.verb ?? 'update');
    const { manager } = seen ?? {};
    return {
      ...{ kind, controller, parent: withoutUid(parent), object: withoutUid(object), verb },
      time: this.#options.timeOf(at),
      ...(manager === undefined ? {} : { manager }),
      fields: this.#fieldsOf(missed, object),
      ...(note === undefined ? {} : { note: this.#options.mask(note) }),
    };
  }

  #fieldsOf(missed: Missed, object: Ref): ShadowField[] {
    const { predicted, seen } = missed;
    const fields = predicted && seen ? this.#compared({ predicted, seen }) : oneSided(missed);
    const subjects = [predicted?.before, predicted?.after, seen?.change.before, seen?.change.after];
    const secrets = subjects.filter((one): one is KubeObject => one !== undefined && isSecret(refOf(one)));
    const redactor = createRedactor(secrets);
    return fields.slice(0, MOST_FIELDS).map((field) => {
      const { path, before, after } = redactor.fieldChange(object, field);
      return {
        path: this.#options.mask(formatPath(path)),
        ...(before === undefined ? {} : { predicted: this.#masked(before) }),
        ...(after === undefined ? {} : { seen: this.#masked(after) }),
      };
    });
  }

  #compared({ predicted, seen }: { predicted: NonNullable<Missed['predicted']>; seen: NonNullable<Missed['seen']> }) {
    const fields = misfitsOf(predicted, seen, this.#options.managers);
    if (fields) return distinctPaths(fields);
    return [{ path: [], op: 'change', before: predicted.verb ?? 'nothing', after: seen.verb } as const];
  }

  #masked(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#options.mask(value);
    if (isJsonArray(value)) return value.map((item) => this.#masked(item));
    if (!isJsonObject(value)) return value;
    const masked: MutableJsonObject = {};
    for (const [key, inner] of Object.entries(value))
      if (inner !== undefined) setOwn(masked, this.#options.mask(key), this.#masked(inner));
    return masked;
  }
}

/** What one of both alone says: a prediction that never came, a write that nobody predicted. */
function oneSided({ predicted, seen }: Missed): readonly FieldChange[] {
  const said = (field: FieldChange, side: 'before' | 'after'): FieldChange => ({
    path: field.path,
    op: field.op,
    ...(field.after === undefined ? {} : { [side]: field.after }),
  });
  if (predicted) return predicted.fields.map((field) => said(field, 'before'));
  if (!seen?.change.after) return [];
  return diffObjects(seen.change.before, seen.change.after).map((field) => said(field, 'after'));
}

/** A field stands in the object and in the record of what was applied: once is enough. */
function distinctPaths(fields: readonly FieldChange[]): FieldChange[] {
  return [...new Map(fields.toReversed().map((field) => [formatPath(field.path), field])).values()].reverse();
}

const withoutUid = ({ uid: _uid, ...ref }: Ref): Ref => ref;
