// Watches: what happened since a resourceVersion, then what happens, as one JSON line an event.
// Invariant: an object enters and leaves a selection as ADDED and DELETED, whatever happened to it in the store.

import { stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import type { LineStream } from '../http/line-stream.ts';
import type { ListOptions } from '../http/query.ts';
import { expired, internal, type StatusError } from '../http/status-error.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import type { Collection, StoreEvent } from '../store/collection.ts';
import { Stored } from '../store/stored.ts';
import { type Selection, selectionOf } from './list.ts';
import type { Target } from './target.ts';

/** How one object is printed in an event: JSON, or as a Table or PartialObjectMetadata. */
export type PrintEventObject = (stored: Stored, first: boolean) => string;

const BOOKMARK_MS = 60_000;
const INITIAL_EVENTS_END = { annotations: { 'k8s.io/initial-events-end': 'true' } };

export class Watch {
  readonly #core: Core;
  readonly #target: Target;
  readonly #options: ListOptions;
  readonly #selection: Selection;
  readonly #collection: Collection;
  readonly #stream: LineStream;
  readonly #print: PrintEventObject;
  #printed = false;

  constructor(
    core: Core,
    target: Target,
    output: { options: ListOptions; stream: LineStream; print: PrintEventObject },
  ) {
    this.#core = core;
    this.#target = target;
    this.#options = output.options;
    this.#selection = selectionOf(target, output.options);
    this.#collection = core.store.collection(target.kind);
    this.#stream = output.stream;
    this.#print = output.print;
  }

  /** Sends what is due and goes on until the stream ends. Throws a StatusError before the first event only. */
  start(): void {
    const from = this.#startVersion();
    if (!this.#sendBeginning(from)) return;
    // A resourceVersion of the future is waited for, as the server does.
    const stop = this.#collection.listen((event) => {
      if (event.rv > from) this.#sendChange(event);
    });
    this.#stream.onEnd(stop);
    this.#endInTime();
    if (this.#options.bookmarks) this.#bookmarkNowAndThen();
  }

  /** About once a minute, as the server does: a client tells by it that a quiet watch is alive. */
  #bookmarkNowAndThen(): void {
    let cancel = (): void => undefined;
    const arm = (): void => {
      cancel = this.#core.clock.schedule(BOOKMARK_MS, () => {
        this.#sendBookmark();
        arm();
      });
    };
    arm();
    this.#stream.onEnd(() => cancel());
  }

  /** Ends the watch as the server ends one whose history is gone. */
  expire(): void {
    this.#sendError(expired('The resourceVersion for the provided watch is too old.'));
  }

  #startVersion(): number {
    const { resourceVersion } = this.#options;
    if (resourceVersion === '') return 0;
    if (/^\d+$/.test(resourceVersion)) return Number(resourceVersion);
    const why = `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`;
    throw internal(`resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${why}`);
  }

  /** False when the stream has been ended. */
  #sendBeginning(from: number): boolean {
    const { sendInitialEvents } = this.#options;
    if (sendInitialEvents === true || (from === 0 && sendInitialEvents === undefined)) {
      for (const item of this.#collection.range(this.#selection.prefix)) {
        if (this.#selection.matches(item.object)) this.#send('ADDED', item);
      }
      if (sendInitialEvents && this.#options.bookmarks) this.#sendBookmark(INITIAL_EVENTS_END);
      return true;
    }
    if (from === 0) return true;
    const missed = this.#collection.since(from);
    if (missed === undefined) {
      this.#sendError(expired(`too old resource version: ${from} (${this.#core.store.resourceVersion})`));
      return false;
    }
    for (const event of missed) this.#sendChange(event);
    return true;
  }

  #sendChange(event: StoreEvent): void {
    if (!event.key.startsWith(this.#selection.prefix)) return;
    const was = event.before !== undefined && this.#selection.matches(event.before.object);
    const is = event.after !== undefined && this.#selection.matches(event.after.object);
    if (is && event.after) this.#send(was ? 'MODIFIED' : 'ADDED', event.after);
    else if (was) this.#send('DELETED', leaving(event));
  }

  #send(type: string, stored: Stored): void {
    this.#stream.push(`{"type":"${type}","object":${this.#print(stored, !this.#printed)}}\n`);
    this.#printed = true;
  }

  #sendBookmark(more: { annotations?: Record<string, string> } = {}): void {
    const { kind, version } = this.#target;
    const metadata = { resourceVersion: String(this.#core.store.resourceVersion), ...more };
    const object = { kind: kind.kind, apiVersion: apiVersionOf(kind, version), metadata };
    this.#stream.push(`${stringifyJson({ type: 'BOOKMARK', object })}\n`);
  }

  #sendError(error: StatusError): void {
    this.#stream.push(`${stringifyJson({ type: 'ERROR', object: error.body() })}\n`);
    this.#stream.end();
  }

  #endInTime(): void {
    const { timeoutSeconds } = this.#options;
    if (timeoutSeconds === undefined || timeoutSeconds <= 0) return;
    const cancel = this.#core.clock.schedule(timeoutSeconds * 1000, () => {
      if (this.#options.bookmarks) this.#sendBookmark();
      this.#stream.end();
    });
    this.#stream.onEnd(cancel);
  }
}

/** What a DELETED event shows: the last state that matched, under the resourceVersion of the change. */
function leaving(event: StoreEvent): Stored {
  if (event.deleted) return event.deleted;
  const before = event.before as Stored;
  const object: KubeObject = {
    ...before.object,
    metadata: { ...before.object.metadata, resourceVersion: String(event.rv) },
  };
  return new Stored(object, event.rv);
}
