// One watch connection: JSON lines with bookmarks. It never reconnects by itself; the cache's reflector does.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { WatchEvent, Watcher, WatchOptions } from '../../ports/watch.ts';
import { statusOf } from './api-error.ts';
import { type Caller, parseObject } from './caller.ts';
import { Lines } from './json-lines.ts';
import { objectOf } from './objects.ts';
import { collectionPath } from './paths.ts';

/** A watch is asked to end after 240 s and up to so many more. */
const SHORTEST_SECONDS = 240;
const SPREAD_SECONDS = 120;

const STREAMING_LIST = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

export function createWatcher(caller: Caller): Watcher {
  return {
    async *watch(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent> {
      const { namespace, labelSelector, fieldSelector, resourceVersion, trim, signal } = options;
      const call = { method: 'GET', path: collectionPath(type, namespace) } as const;
      const request = `WATCH ${call.path}`;
      const query = {
        watch: true,
        ...(resourceVersion === undefined ? STREAMING_LIST : { resourceVersion }),
        labelSelector,
        fieldSelector,
        allowWatchBookmarks: true,
        timeoutSeconds: SHORTEST_SECONDS + spreadOf(`${call.path}?${labelSelector ?? ''}`),
      };
      const response = await caller.open({ ...call, query, signal });
      const lines = new Lines();
      for await (const piece of response.body)
        for (const line of lines.of(piece)) {
          const event = eventOf(line, request);
          yield event.type === 'BOOKMARK' || trim === undefined ? event : { ...event, object: trim(event.object) };
        }
      if (lines.rest() !== '') throw new ConnectionError(`${request} ended in the middle of a line`, request);
      signal.throwIfAborted();
    },
  };
}

function eventOf(line: string, request: string): WatchEvent {
  const { type, object } = parseObject(line, request);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: objectOf(object, request) };
    case 'BOOKMARK':
      return bookmarkOf(object, request);
    case 'ERROR':
      throw new ApiError(statusOf(statusObjectOf(object), 500), request);
    default:
      throw new ConnectionError(`${request} sent an event of an unknown type`, request);
  }
}

function statusObjectOf(object: JsonValue | undefined): JsonObject {
  return isJsonObject(object) ? object : {};
}

function bookmarkOf(object: JsonValue | undefined, request: string): WatchEvent {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  if (!isJsonObject(metadata) || typeof resourceVersion !== 'string')
    throw new ConnectionError(`${request} sent a bookmark without a resourceVersion`, request);
  const { annotations } = metadata;
  const initialEnd = isJsonObject(annotations) && annotations[INITIAL_EVENTS_END] === 'true';
  return { type: 'BOOKMARK', resourceVersion, ...(initialEnd ? { initialEnd } : {}) };
}

/** Seconds that differ by path but not by run: watches opened together do not all end together. */
function spreadOf(path: string): number {
  let sum = 0;
  for (const character of path) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % SPREAD_SECONDS;
}
