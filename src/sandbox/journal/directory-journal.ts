// A sandbox's changes in a directory: VERSION, LOCK and log.jsonl, to which every change is appended with one write before
// it is acknowledged. So a killed process loses nothing acknowledged (the system has the bytes); a power cut may lose
// the last ones unless `fsync` is set. A last line without its newline was never acknowledged and is cut off on open.

import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { BugError, type Diagnostic, DiagnosticError } from '../../model/diagnostic.ts';
import type { Journal, JournalRecord } from '../journal.ts';
import { codeOf, takeLock } from './lock.ts';
import { decodeLine, encodeLine } from './log-line.ts';

const VERSION = 'metactl-sandbox 1';
const NEWLINE = 10;

export interface JournalOptions {
  /** Wait for the disk at each append. Default false. */
  readonly fsync?: boolean;
}

export interface DirectoryJournal extends Journal {
  /** Bytes of an unfinished last write that were cut off on opening. */
  readonly tornBytes: number;
}

/**
 * Opens or begins the journal in a directory, which is made when it is not there. Throws DiagnosticError when another
 * process has it, its VERSION is not ours, it can't be read or written, or holds something else.
 */
export function openJournal(directory: string, options: JournalOptions = {}): DirectoryJournal {
  try {
    mkdirSync(directory, { recursive: true });
    checkVersion(directory);
    const unlock = takeLock(directory);
    try {
      begin(directory);
      return new LogFile(directory, { fsync: options.fsync === true, unlock });
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    if (error instanceof Error && codeOf(error) !== '') throw unusable(directory, error);
    throw error;
  }
}

/** Nothing is written, not even the lock, into a directory that is somebody else's or of another version. */
function checkVersion(directory: string): void {
  const entries = readdirSync(directory);
  if (!entries.includes('VERSION')) {
    const foreign = entries.filter((name) => !/^(LOCK|VERSION)\b/.test(name));
    if (foreign.length === 0) return;
    const summary = `${directory} is not a sandbox directory: it has no VERSION file but holds ${foreign[0]}`;
    throw problem({ code: 'invalid-value', summary, hint: 'name an empty or a new directory' });
  }
  const found = readFileSync(join(directory, 'VERSION'), 'utf8').trim();
  if (found === VERSION) return;
  throw problem({
    code: 'unsupported',
    summary: `the sandbox directory ${directory} has the format "${found.slice(0, 60)}", this version of metactl reads "${VERSION}"`,
    hint: 'use the version of metactl that wrote it, or a new directory',
  });
}

function begin(directory: string): void {
  if (readdirSync(directory).includes('VERSION')) return;
  const draft = join(directory, 'VERSION.new');
  writeFileSync(draft, `${VERSION}\n`);
  renameSync(draft, join(directory, 'VERSION'));
}

class LogFile implements DirectoryJournal {
  readonly tornBytes: number;
  readonly #file: string;
  readonly #fsync: boolean;
  readonly #unlock: () => void;
  #fd: number | undefined;
  /** Where the last whole line ends; the file never holds more when append() is not running. */
  #end: number;

  constructor(directory: string, { fsync, unlock }: { readonly fsync: boolean; readonly unlock: () => void }) {
    this.#file = join(directory, 'log.jsonl');
    this.#fsync = fsync;
    this.#unlock = unlock;
    const fd = openSync(this.#file, 'a+');
    const { size } = fstatSync(fd);
    this.#end = endOfLastLine(fd, size);
    this.tornBytes = size - this.#end;
    if (this.tornBytes > 0) ftruncateSync(fd, this.#end);
    this.#fd = fd;
  }

  replay(): readonly JournalRecord[] {
    const bytes = readFileSync(this.#file);
    const records: JournalRecord[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, start);
      const text = bytes.toString('utf8', start, end);
      const record = decodeLine(text);
      if (typeof record === 'string') throw this.#corrupt(records.length + 1, record);
      const last = records.at(-1);
      if (last && record.rv <= last.rv)
        throw this.#corrupt(records.length + 1, `its resourceVersion ${record.rv} does not follow ${last.rv}`);
      records.push(record);
      start = end + 1;
    }
    return records;
  }

  append(record: JournalRecord): void {
    const fd = this.#fd;
    if (fd === undefined) throw new BugError('append to a journal that is closed');
    const bytes = Buffer.from(encodeLine(record));
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      if (this.#fsync) fsyncSync(fd);
    } catch (error) {
      // A full disk may have taken half of it; the next append must begin a line. If that fails there is no next one.
      this.#fd = undefined;
      ftruncateSync(fd, this.#end);
      this.#fd = fd;
      throw error;
    }
    this.#end += bytes.length;
  }

  async close(): Promise<void> {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    this.#unlock();
  }

  #corrupt(line: number, why: string): DiagnosticError {
    return problem({
      code: 'file-unreadable',
      summary: `${this.#file} is damaged in line ${line}`,
      detail: why,
      hint: 'restore the file, or delete this line if the change in it may be lost; nothing was changed',
      source: { file: this.#file, line, column: 1 },
    });
  }
}

/** Looks back from the end in pieces, so that opening does not read the file twice. */
function endOfLastLine(fd: number, size: number): number {
  const piece = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - piece.length);
    const read = readSync(fd, piece, 0, end - start, start);
    const newline = piece.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

const problem = (diagnostic: Omit<Diagnostic, 'severity'>): DiagnosticError =>
  new DiagnosticError([{ severity: 'error', ...diagnostic }]);

function unusable(directory: string, cause: Error): DiagnosticError {
  const summary = `the sandbox directory ${directory} can't be used`;
  return new DiagnosticError([{ severity: 'error', code: 'file-unreadable', summary, detail: cause.message }], {
    cause,
  });
}
