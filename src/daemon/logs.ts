// Structured lines on stderr: JSON as zap writes it (pino), or a line for people. Levels by zap's words and numbers.

import type { Clock } from '../kit/clock.ts';
import type { LogFields, Logger } from '../ports/log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogEncoder = 'json' | 'console';

export interface LogOptions {
  readonly level: LogLevel;
  readonly encoder: LogEncoder;
  readonly clock: Clock;
  /** Takes a line with its line break. */
  readonly write: (line: string) => void;
  /** Takes out of what others say (warnings and errors) what is nobody's business: values of Secrets. */
  readonly mask?: (text: string) => string;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export async function createLogger(options: LogOptions): Promise<Logger> {
  const logger = await (options.encoder === 'json' ? jsonLogger(options) : consoleLogger(options));
  const { mask } = options;
  if (!mask) return logger;
  const masked =
    (name: 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) =>
      logger[name](message, maskedFields(fields, mask));
  return { ...logger, warn: masked('warn'), error: masked('error') };
}

function maskedFields(fields: LogFields, mask: (text: string) => string): LogFields {
  const shown = Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? mask(value) : value]);
  return Object.fromEntries(shown) as LogFields;
}

async function jsonLogger({ level, clock, write }: LogOptions): Promise<Logger> {
  // Of a CommonJS package a bundle has the default export only.
  const { default: pino } = await import('pino');
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'msg',
      formatters: { level: (label) => ({ level: label }) },
      // Seconds, as zap's "epoch".
      timestamp: () => `,"ts":${clock.now() / 1_000}`,
    },
    { write },
  );
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      logger[name](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function consoleLogger({ level, clock, write }: LogOptions): Logger {
  const lowest = LEVELS.indexOf(level);
  const at = (name: LogLevel, index: number) =>
    index < lowest
      ? () => undefined
      : (message: string, fields: LogFields = {}) => {
          const time = new Date(clock.now()).toISOString();
          const shown = Object.entries(fields).flatMap(([key, value]) =>
            value === undefined ? [] : `${key}=${fieldText(value)}`,
          );
          write(`${[time, name.toUpperCase().padEnd(5), message, ...shown].join('  ')}\n`);
        };
  return { debug: at('debug', 0), info: at('info', 1), warn: at('warn', 2), error: at('error', 3) };
}

/** Quoted where a reader could not tell where it ends. */
const fieldText = (value: string | number | boolean): string =>
  typeof value === 'string' && !/^[^\s"=]+$/.test(value) ? JSON.stringify(value) : String(value);
