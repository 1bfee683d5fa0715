import type { Ref } from '../model/ref.ts';

/** What Kubernetes' Events say of an object. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** UpperCamelCase, of a short list. */
  readonly reason: string;
  readonly message: string;
}

/** Takes notes; whether and when they become Events is its own affair. Never throws, never holds anybody up. */
export interface EventRecorder {
  note(about: Ref, note: EventNote): void;
}

/** Under which an Event was written, to count it up later. */
export interface WrittenEvent {
  readonly name: string;
  readonly namespace: string;
}

export interface EventRecord extends EventNote {
  readonly about: Ref;
  readonly count: number;
  /** RFC 3339. */
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** Writes Events as they come. Throws ApiError, ConnectionError. */
export interface EventWriter {
  createEvent(record: EventRecord, name: string): Promise<WrittenEvent>;
  /** false: it is there no more. */
  countEvent(written: WrittenEvent, record: EventRecord): Promise<boolean>;
}
