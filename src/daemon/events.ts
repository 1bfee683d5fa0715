// Notes about objects become Events, correlated as client-go does it so that a loop can't flood the cluster: an equal note is
// the same Event counted up; each object has a burst and then one in five minutes; what differs only in its message is
// gathered once there is too much of it. Everything is kept in bounded memory and lost with the process.
// Written one after the other, in the background: an Event that can't be written is dropped, and told to the log.

import { type Clock, formatTime } from '../kit/clock.ts';
import type { Ref } from '../model/ref.ts';
import { refKey } from '../model/ref.ts';
import type { EventNote, EventRecord, EventRecorder, EventWriter, WrittenEvent } from '../ports/events.ts';
import type { Logger } from '../ports/log.ts';

export interface EventOptions {
  readonly writer: EventWriter;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of one object: so many at once, and then so many a second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Makes names differ: a random text of this process. */
  readonly salt: string;
  /** What became of a note. */
  readonly onFate?: (fate: EventFate) => void;
  /** Takes out of a message what is nobody's business. */
  readonly mask?: (text: string) => string;
}

/** limited: the object has had too many; dropped: too many wait to be written. */
export type EventFate = 'created' | 'counted' | 'limited' | 'dropped' | 'failed';

interface Known {
  record: EventRecord;
  written: WrittenEvent | undefined;
}

interface Gathered {
  readonly messages: Set<string>;
  readonly since: number;
}

const MOST_KNOWN = 4_096;
const MOST_WAITING = 1_000;
/** Different messages of one reason about one object, before they are gathered into one Event. */
const MOST_MESSAGES = 10;
const GATHER_MS = 600_000;
/** client-go's words for it. */
const COMBINED = '(combined from similar events)';

export class Events implements EventRecorder {
  readonly #options: EventOptions;
  /** Each oldest first. */
  readonly #known = new Map<string, Known>();
  readonly #tokens = new Map<string, { tokens: number; at: number }>();
  readonly #gathered = new Map<string, Gathered>();
  readonly #waiting = new Map<string, Known>();
  #writing: Promise<void> | undefined;
  #count = 0;

  constructor(options: EventOptions) {
    this.#options = options;
  }

  note(about: Ref, note: EventNote): void {
    const { clock, mask = (text: string) => text } = this.#options;
    const told = this.#gather(about, { ...note, message: mask(note.message) });
    // What is gathered is one Event, with the last message.
    const which = told.message.startsWith(COMBINED) ? COMBINED : told.message;
    const key = `${objectKey(about)} ${told.type} ${told.reason} ${which}`;
    const lastTimestamp = formatTime(clock.now());
    const known = this.#known.get(key);
    const first = known?.record ?? { count: 0, firstTimestamp: lastTimestamp };
    const record = { about, ...told, count: first.count + 1, firstTimestamp: first.firstTimestamp, lastTimestamp };
    const entry = known ?? { record, written: undefined };
    entry.record = record;
    remember(this.#known, key, entry);
    // It counts all the same: the next one that is written says how many there were.
    const refused = this.#refusal(about);
    if (refused) this.#options.onFate?.(refused);
    else {
      this.#waiting.set(key, entry);
      this.#writing ??= this.#write();
    }
  }

  /** Resolves when what was noted has been written or given up. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #gather(about: Ref, note: EventNote): EventNote {
    const key = `${objectKey(about)} ${note.type} ${note.reason}`;
    const now = this.#options.clock.steady();
    const before = this.#gathered.get(key);
    const gathered = before && now - before.since < GATHER_MS ? before : { messages: new Set<string>(), since: now };
    remember(this.#gathered, key, gathered);
    if (gathered.messages.has(note.message)) return note;
    if (gathered.messages.size >= MOST_MESSAGES) return { ...note, message: `${COMBINED}: ${note.message}` };
    gathered.messages.add(note.message);
    return note;
  }

  #refusal(about: Ref): EventFate | undefined {
    if (!this.#mayTell(objectKey(about))) return 'limited';
    return this.#waiting.size >= MOST_WAITING ? 'dropped' : undefined;
  }

  #mayTell(key: string): boolean {
    const { clock, burst, perSecond } = this.#options;
    const now = clock.steady();
    const { tokens, at } = this.#tokens.get(key) ?? { tokens: burst, at: now };
    const left = Math.min(burst, tokens + (Math.max(0, now - at) / 1_000) * perSecond);
    remember(this.#tokens, key, { tokens: left >= 1 ? left - 1 : left, at: now });
    return left >= 1;
  }

  async #write(): Promise<void> {
    // Not within the call of whoever noted it.
    await Promise.resolve();
    for (const [key, entry] of this.#waiting) {
      this.#waiting.delete(key);
      try {
        const fate = await this.#writeOne(entry);
        this.#options.onFate?.(fate);
      } catch (error) {
        const { about, reason } = entry.record;
        const why = error instanceof Error ? error.message : String(error);
        this.#options.onFate?.('failed');
        this.#options.log.warn('Event not written', { reason, object: objectKey(about), error: why });
      }
    }
    this.#writing = undefined;
  }

  async #writeOne(entry: Known): Promise<EventFate> {
    const { writer, salt } = this.#options;
    if (entry.written && (await writer.countEvent(entry.written, entry.record))) return 'counted';
    const name = `${entry.record.about.name.slice(0, 200)}.${salt}${(this.#count++).toString(16)}`;
    entry.written = await writer.createEvent(entry.record, name);
    return 'created';
  }
}

const objectKey = (about: Ref): string => `${refKey(about)} ${about.uid ?? ''}`;

/** The oldest goes when there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_KNOWN && oldest !== undefined) map.delete(oldest);
}
