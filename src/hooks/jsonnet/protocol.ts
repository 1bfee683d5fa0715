// What the main thread and a Jsonnet worker say to each other. Requests and answers travel as JSON text.

import { isRecord } from '../thread.ts';
import type { WasmModule } from './webassembly.ts';

export interface JsonnetSettings {
  /** Compiled once, in the main thread: its code is shared by all workers. */
  readonly engine: WasmModule;
  /** What the engine's garbage collector aims at, in MiB: below the limit that is compiled into the engine. */
  readonly softMemoryMiB: number;
}

/** Where a program may read files. All paths absolute. */
export interface JsonnetFiles {
  readonly path: string;
  /** Of the definition: the first place where imports are looked for, after that of the file with the import. */
  readonly directory: string;
  readonly importPaths: readonly string[];
}

export interface JsonnetRequest extends JsonnetFiles {
  readonly request: string;
}

export interface JsonnetReply {
  /**
   * answer: JSON text. error: what Jsonnet says, with its stack. broken: the engine itself gave up, for the reason in
   * `text`; this worker is of no use any more.
   */
  readonly outcome: 'answer' | 'error' | 'memory' | 'depth' | 'broken';
  readonly text: string;
}

const OUTCOMES: readonly unknown[] = ['answer', 'error', 'memory', 'depth', 'broken'];

export function isReply(message: unknown): message is JsonnetReply {
  return isRecord(message) && OUTCOMES.includes(message['outcome']) && typeof message['text'] === 'string';
}
