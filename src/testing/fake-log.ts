import type { LogFields, Logger } from '../ports/log.ts';

/** Keeps what was said: "warn Watch failed". */
export class FakeLog implements Logger {
  readonly lines: string[] = [];
  readonly fields: LogFields[] = [];

  readonly debug = (message: string, fields?: LogFields): void => this.#add('debug', message, fields);
  readonly info = (message: string, fields?: LogFields): void => this.#add('info', message, fields);
  readonly warn = (message: string, fields?: LogFields): void => this.#add('warn', message, fields);
  readonly error = (message: string, fields?: LogFields): void => this.#add('error', message, fields);

  #add(level: string, message: string, fields: LogFields = {}): void {
    this.lines.push(`${level} ${message}`);
    this.fields.push(fields);
  }
}
