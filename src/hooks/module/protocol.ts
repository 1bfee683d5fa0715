// What the main thread and a module worker say to each other. Requests and answers travel as JSON text: the worker
// checks that the answer is plain JSON before it makes text of it, and the size is known before anything is parsed.

import type { FailureFacts } from '../failure.ts';
import { isFacts, isRecord } from '../thread.ts';

export interface WorkerSettings {
  /** Absolute path of the user's module. */
  readonly path: string;
  /** Where this program keeps compiled code, if it does: stripping the types of a hook takes 80 ms otherwise. */
  readonly compileCache: string | undefined;
}

export interface WorkerRequest {
  readonly export: string;
  readonly request: string;
  readonly dryRun: boolean;
  /** RFC 3339. */
  readonly now: string;
}

export interface WorkerReply {
  readonly result:
    | { readonly ok: true; readonly answer: string }
    | { readonly ok: false; readonly facts: FailureFacts };
  /** Files of the user's that were loaded since the last reply, with their stamps from just before that. */
  readonly loaded: readonly (readonly [path: string, stamp: string])[];
  /** An import was not found: no stamp of a loaded file will tell when it is there, so this worker has served. */
  readonly spent: boolean;
}

export function isReply(message: unknown): message is WorkerReply {
  if (!isRecord(message) || typeof message['spent'] !== 'boolean' || !isRecord(message['result'])) return false;
  const { result, loaded } = message;
  const isStamp = (item: unknown): boolean => Array.isArray(item) && item.every((text) => typeof text === 'string');
  if (!Array.isArray(loaded) || !loaded.every(isStamp)) return false;
  return result['ok'] === true ? typeof result['answer'] === 'string' : isFacts(result['facts']);
}
