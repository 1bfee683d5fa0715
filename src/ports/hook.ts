import type { HookAnswer, HookCall } from '../model/need.ts';

/** Calls hooks. A failure is an answer with a diagnostic, never a throw (aborting the signal is the exception). */
export interface HookCaller {
  call(call: HookCall, signal: AbortSignal): Promise<HookAnswer>;
  /** Ends worker threads and stream processes. */
  close(): Promise<void>;
}

/** What becomes of a connection that a webhook needs: told within the call in whose course it is opened. */
export type WireEvent = 'dns_start' | 'dns_done' | 'tls_handshake_start' | 'tls_handshake_done';

/** What a process that runs for long wants to do with calls of webhooks. */
export interface WebhookWire {
  readonly onWire?: (event: WireEvent) => void;
  /** The status of an answer: told within the call, the last one counts. */
  readonly onStatus?: (status: number) => void;
  /** Sent with each call; asked within it. Lower-case names. */
  readonly headers?: () => Readonly<Record<string, string>>;
}
