/** What of an event is said beside its name: short, and never a Secret's value. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Structured lines of a process that runs for long: a constant message and what differs as fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
