import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ListOptions } from './read.ts';

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  /** Nothing changed up to this resourceVersion. `initialEnd`: all that was there at the beginning has been sent. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEnd?: true };

export interface WatchOptions extends ListOptions {
  /**
   * Where to go on. undefined: begin with all objects of now, as ADDED events, and a bookmark with `initialEnd` (a
   * streaming list; a server that has none answers 4xx).
   */
  readonly resourceVersion: string | undefined;
  readonly signal: AbortSignal;
}

/** One watch connection: ends when the server ends it. Throws ApiError (410 when the resourceVersion is too old) and ConnectionError. */
export interface Watcher {
  watch(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent>;
}
