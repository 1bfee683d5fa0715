// What the executor works on.

import type { KubeObject } from '../model/object.ts';
import type { ObjectCache } from '../ports/cache.ts';
import type { Reader } from '../ports/read.ts';
import type { Writer } from '../ports/write.ts';

export interface ExecutePorts {
  readonly writer: Writer;
  readonly reader: Reader;
  /** Own writes are laid over it, so that the next plan sees them. */
  readonly cache: Pick<ObjectCache, 'record'>;
}

/** Of the changes of one step that have been carried out: what the server made of each, by the change's id. */
export type Results = Map<string, KubeObject>;

export interface SendPorts extends ExecutePorts {
  readonly results: Results;
}
