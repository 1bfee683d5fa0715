// What the kinds of hook share: the door that caller.ts knows them by, and what they are given.

import type { Clock } from '../kit/clock.ts';
import type { JsonValue } from '../kit/json.ts';
import type { HookCall } from '../model/need.ts';
import type { WebhookWire } from '../ports/hook.ts';
import type { HookCluster } from './cluster-access.ts';

export interface HookLimits {
  /** Calls at once, over all hooks. */
  readonly inFlight: number;
  /** Calls at once to one endpoint (scheme, host and port) of webhooks, and connections to it of one identity. */
  readonly perEndpoint: number;
  /** Processes at once of one `exec` hook in mode once. Stream processes and module workers take one call at a time. */
  readonly processesPerHook: number;
  /** The largest answer that is read, in bytes. */
  readonly answerBytes: number;
  /** Jsonnet programs at once, each in a worker thread with an engine of its own. */
  readonly jsonnetWorkers: number;
  /** JavaScript heap of a module worker, and all memory of a Jsonnet engine, in MiB. */
  readonly moduleMemoryMiB: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
}

export const DEFAULT_LIMITS: HookLimits = {
  // Twice as many as one endpoint gets: a slow one does not hold up the others.
  inFlight: 32,
  perEndpoint: 16,
  processesPerHook: 4,
  jsonnetWorkers: 2,
  answerBytes: 64 * 1024 * 1024,
  moduleMemoryMiB: 512,
  killGraceMs: 2000,
};

export interface RunnerContext {
  readonly clock: Clock;
  readonly limits: HookLimits;
  /** What local hooks see: already free of credentials. */
  readonly environment: Readonly<Record<string, string>>;
  /** A line that a hook wrote beside its answer; `label` says which hook. */
  readonly onOutput: (label: string, line: string) => void;
  readonly cluster?: HookCluster | undefined;
  /** Address of the proxy that leads to a webhook's url; undefined: none. */
  readonly proxyOf?: ((url: URL) => string | undefined) | undefined;
  readonly wire?: WebhookWire | undefined;
}

export interface HookRunner {
  /**
   * Resolves with the answer, parsed and otherwise unchecked. Throws HookFailure, or the signal's reason when that is
   * aborted.
   */
  run(call: HookCall, signal: AbortSignal): Promise<JsonValue>;
  close(): Promise<void>;
}

/** Names a hook in lines of its output: "catset sync". */
export function outputLabel(call: HookCall): string {
  return `${call.controller.slice(call.controller.indexOf('/') + 1)} ${call.hookName}`;
}
