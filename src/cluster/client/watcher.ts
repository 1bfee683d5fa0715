// One watch connection: JSON lines with bookmarks. It never reconnects by itself; the cache's reflector does.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ApiError, ConnectionError } from '../../ports/errors.ts';
import type { WatchEvent, Watcher, WatchOptions } from '../../ports/watch.ts';
import { statusOf } from './api-error.ts';
import { type Caller, nameOf, parseObject } from './caller.ts';
import { linesOf } from './json-lines.ts';
import { objectOf } from './objects.ts';
import { collectionPath } from './paths.ts';

/** A watch is asked to end after 240 s and up to so many more. */
const SHORTEST_SECONDS = 240;
const SPREAD_SECONDS = 120;

export function createWatcher(caller: Caller): Watcher {
  return {
    async *watch(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent> {
      const { namespace, labelSelector, fieldSelector, resourceVersion, signal } = options;
      const call = { method: 'GET', path: collectionPath(type, namespace) } as const;
      const request = nameOf(call);
      const query = {
        watch: true,
        resourceVersion,
        labelSelector,
        fieldSelector,
        allowWatchBookmarks: true,
        timeoutSeconds: SHORTEST_SECONDS + spreadOf(`${call.path}?${labelSelector ?? ''}`),
      };
      const response = await caller.open({ ...call, query, signal });
      const halfALine = (): never => {
        throw new ConnectionError(`the watch ${request} ended in the middle of a line`, request);
      };
      for await (const line of linesOf(response.body, halfALine)) yield eventOf(line, request);
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
      return { type, resourceVersion: resourceVersionOf(object, request) };
    case 'ERROR':
      throw new ApiError(statusOf(statusObjectOf(object), 500), request);
    default:
      throw new ConnectionError(`the watch ${request} sent an event of an unknown type`, request);
  }
}

function statusObjectOf(object: JsonValue | undefined): JsonObject {
  return isJsonObject(object) ? object : {};
}

function resourceVersionOf(object: JsonValue | undefined, request: string): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const version = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  if (typeof version === 'string') return version;
  throw new ConnectionError(`the watch ${request} sent a bookmark without a resourceVersion`, request);
}

/** Seconds that differ by path but not by run: watches opened together do not all end together. */
function spreadOf(path: string): number {
  let sum = 0;
  for (const character of path) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % SPREAD_SECONDS;
}
