import type { HookAnswer, HookCall } from '../model/need.ts';

/** Calls hooks. A failure is an answer with a diagnostic, never a throw (aborting the signal is the exception). */
export interface HookCaller {
  call(call: HookCall, signal: AbortSignal): Promise<HookAnswer>;
  /** Ends worker threads and stream processes. */
  close(): Promise<void>;
}
