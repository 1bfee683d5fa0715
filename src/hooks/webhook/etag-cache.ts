// Answers kept by their ETag, for all webhooks of the process. Bounded by size as well as by number: the one that was not
// used for longest goes first. Too old ones are dropped when they are come across, and all of them at each cleanup.

import { sha256 } from '../../kit/hash.ts';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../kit/json.ts';
import type { HookCall } from '../../model/need.ts';
import { refKey } from '../../model/ref.ts';
import type { EtagCaching } from '../../model/webhook.ts';

export interface KeptAnswer {
  readonly etag: string;
  readonly body: Uint8Array;
}

interface Entry extends KeptAnswer {
  /** Clock time. */
  readonly until: number;
}

export interface EtagLimits {
  readonly answers: number;
  readonly bytes: number;
}
const LIMITS: EtagLimits = { answers: 10_000, bytes: 64 * 1024 * 1024 };

export class EtagCache {
  /** In the order of use; the last was used last. */
  readonly #entries = new Map<string, Entry>();
  readonly #limits: EtagLimits;
  #bytes = 0;
  #cleanedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: EtagLimits = LIMITS) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `now` is clock time. */
  get(key: string, now: number): KeptAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#drop(key);
    if (entry.until <= now) return undefined;
    this.#add(key, entry);
    return entry;
  }

  /** Without an ETag the answer is not kept, and what was kept before is out of date. */
  put(key: string, answer: { readonly etag: string | undefined; readonly body: Uint8Array }, caching: Times): void {
    const { etag, body } = answer;
    const { timeoutMs, cleanupMs, now } = caching;
    this.#drop(key);
    if (cleanupMs !== undefined && now - this.#cleanedAt >= cleanupMs) this.#clean(now);
    if (etag === undefined || body.length > this.#limits.bytes) return;
    this.#add(key, { etag, body, until: timeoutMs === undefined ? Number.POSITIVE_INFINITY : now + timeoutMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.answers && this.#bytes <= this.#limits.bytes) break;
      this.#drop(oldest);
    }
  }

  #clean(now: number): void {
    this.#cleanedAt = now;
    for (const [key, { until }] of this.#entries) if (until <= now) this.#drop(key);
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.body.length;
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.body.length ?? 0;
    this.#entries.delete(key);
  }
}

interface Times extends EtagCaching {
  readonly now: number;
}

/**
 * Whose answer it is: the hook's, for one parent, and of that parent one variant. A rollout asks about the parent with
 * each revision's fields; an ETag of one is not to be sent, and not to be believed, for another. Status and the metadata
 * that servers write are no part of it, or no answer would be found again.
 */
export function etagKey(call: HookCall, url: URL): string {
  const { parent, finalizing = null } = call.request;
  const variant = isJsonObject(parent) ? canonicalJson(variantOf(parent)) : '';
  const whose = [call.controller, call.hookName, call.hook.version, url.href, refKey(call.parent), call.dryRun];
  return sha256(`${stringifyJson([...whose, finalizing])} ${variant}`);
}

function variantOf({ status: _status, metadata, ...rest }: JsonObject): JsonValue {
  const { labels = {}, annotations = {}, uid = '' } = isJsonObject(metadata) ? metadata : {};
  return { ...rest, metadata: { labels, annotations, uid } };
}
