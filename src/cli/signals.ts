// SIGINT and SIGTERM while a use case runs. The first one aborts: no write starts after it, the one in flight is finished
// and what was done is printed. The second one ends the process at once.

import { EXIT, type ExitCode } from './exit-codes.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal has come. */
  code(): ExitCode | undefined;
  stop(): void;
}

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

/** The part of `process` that is needed; tests pass an EventEmitter. */
export interface SignalSource {
  on(name: 'SIGINT' | 'SIGTERM', listener: (name: 'SIGINT' | 'SIGTERM') => void): unknown;
  off(name: 'SIGINT' | 'SIGTERM', listener: (name: 'SIGINT' | 'SIGTERM') => void): unknown;
  exit(code: number): void;
}

/** `onFirst` is told at once, so that a terminal does not look dead while a write is finished. */
export function watchSignals(source: SignalSource, onFirst: () => void): Interruption {
  const controller = new AbortController();
  let code: ExitCode | undefined;
  const listener = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (code !== undefined) {
      source.exit(CODES[name]);
      return;
    }
    code = CODES[name];
    controller.abort(new Error(`interrupted by ${name}`));
    onFirst();
  };
  source.on('SIGINT', listener);
  source.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    code: () => code,
    stop: () => {
      source.off('SIGINT', listener);
      source.off('SIGTERM', listener);
    },
  };
}
