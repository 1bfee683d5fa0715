// Text of the daemon's flags → values.

import type { ListenAddress, LogLevel } from '../app/index.ts';

/** ":8081" (all interfaces), "HOST:8081", "[::1]:8081"; "0" and "": none is wanted. */
export function parseListenAddress(text: string): ListenAddress | 'none' {
  if (text === '' || text === '0') return 'none';
  const found = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(found?.[3]);
  if (!found || port > 65_535)
    throw new Error(`"${text}" is no address to listen on: write :8081, HOST:8081, or 0 for none`);
  const host = found[1] ?? found[2];
  return { port, ...(host ? { host } : {}) };
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  ...{ debug: 'debug', info: 'info', warn: 'warn', warning: 'warn', error: 'error' },
  ...{ dpanic: 'error', panic: 'error', fatal: 'error' },
};

/** zap's words, or its numbers: the higher, the more is said. */
export function parseLogLevel(text: string): LogLevel {
  const named = Object.hasOwn(LEVELS, text.toLowerCase()) ? LEVELS[text.toLowerCase()] : undefined;
  if (named !== undefined) return named;
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is no log level: write debug, info, warn, error, or a number`);
  return Number(text) === 0 ? 'info' : 'debug';
}

/** Go's floats: 0.00333, 1e3. */
export function parseRate(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new Error(`"${text}" is not a number`);
  return value;
}
