import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { ListOptions } from './read.ts';

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  /** Nothing changed up to this resourceVersion. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface WatchOptions extends ListOptions {
  readonly resourceVersion: string;
  readonly signal: AbortSignal;
}

/** One watch connection: ends when the server ends it. Throws ApiError (410 when the resourceVersion is too old) and ConnectionError. */
export interface Watcher {
  watch(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent>;
}
