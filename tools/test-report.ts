// What a test run prints: a line for each file, failures in full where they happen, then the skipped tests by reason, the
// failures' names again; the caller adds the last line. Suites and files are not counted, only tests, with two exceptions:
// a suite that is skipped as a whole counts as one skipped test (node does not look inside), and a file that ends without
// having run a test (a syntax error, an import that fails) counts as one failure.

import { relative } from 'node:path';
import type { run } from 'node:test';
import { inspect } from 'node:util';

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;

export interface TestTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of the skipped: for want of the real API server. */
  readonly skippedForRealServer: number;
}

interface ReportOptions {
  /** A test that is skipped for want of the real API server counts as failed. */
  readonly requireRealServer: boolean;
  /** What tests note (`t.diagnostic`) is printed. */
  readonly notes?: boolean;
  readonly print: (text: string) => void;
}

interface Located {
  readonly file?: string;
  readonly name: string;
  readonly nesting: number;
}

interface Outcome {
  readonly file: string;
  readonly name: string;
}

/** Follows a run to its end. Tests marked as todo count as skipped. */
export async function reportTests(events: AsyncIterable<TestEvent>, options: ReportOptions): Promise<TestTotals> {
  const report = new Report(options);
  for await (const event of events) report.take(event);
  return report.finish();
}

class Report {
  readonly #options: ReportOptions;
  #passed = 0;
  readonly #failed: Outcome[] = [];
  readonly #skipped = new Map<string, Outcome[]>();
  /** The suites and tests that are open, outermost first. One list will do: node reports file after file, in order. */
  readonly #open: string[] = [];

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  take(event: TestEvent): void {
    if (event.type === 'test:start') {
      this.#open.length = event.data.nesting;
      this.#open.push(event.data.name);
    } else if (event.type === 'test:pass') this.#pass(event.data);
    else if (event.type === 'test:fail') this.#fail(event.data);
    else if (event.type === 'test:stderr' || event.type === 'test:stdout') this.#options.print(event.data.message);
    else if (event.type === 'test:diagnostic' && this.#options.notes === true && event.data.nesting > 0)
      this.#options.print(`note: ${event.data.message}\n`);
    else if (event.type === 'test:summary' && event.data.file) this.#fileDone(event.data.file, event.data);
  }

  #pass(data: Extract<TestEvent, { type: 'test:pass' }>['data']): void {
    const skipped = data.skip ?? data.todo;
    if (skipped !== undefined) this.#skip(data, skipped);
    else if (data.details.type !== 'suite') this.#passed++;
  }

  #skip(data: Located, given: string | boolean): void {
    const reason = typeof given === 'string' && given !== '' ? given : 'no reason given';
    this.#skipped.set(reason, [...(this.#skipped.get(reason) ?? []), this.#outcome(data)]);
  }

  #fail(data: Extract<TestEvent, { type: 'test:fail' }>['data']): void {
    const { error } = data.details;
    // A suite or test that failed only because of what is in it: that was reported already.
    if ('failureType' in error && error.failureType === 'subtestsFailed') return;
    if (data.todo !== undefined) {
      this.#skip(data, data.todo);
      return;
    }
    const outcome = this.#outcome(data);
    this.#failed.push(outcome);
    const place = data.line === undefined ? outcome.file : `${outcome.file}:${data.line}`;
    this.#options.print(`\nFAILED ${outcome.name}\n  ${place}\n${indent(describeError(error.cause ?? error))}\n\n`);
  }

  #fileDone(file: string, data: { readonly counts: { readonly passed: number; readonly tests: number } }): void {
    const { passed, tests } = data.counts;
    const rest = tests === passed ? '' : ` of ${tests}`;
    this.#options.print(`${shortPath(file)}: ${passed}${rest} passed\n`);
  }

  finish(): TestTotals {
    const forRealServer = [...this.#skipped].filter(([reason]) => reason.includes('real API server'));
    if (this.#options.requireRealServer) {
      for (const [reason, outcomes] of forRealServer) {
        this.#skipped.delete(reason);
        this.#failed.push(...outcomes.map(({ file, name }) => ({ file, name: `${name} (skipped: ${reason})` })));
      }
    }
    this.#printSkipped();
    if (this.#failed.length > 0) this.#options.print('\nfailed:\n');
    for (const { file, name } of this.#failed) this.#options.print(`  ${file}: ${name}\n`);
    const count = (groups: Iterable<readonly Outcome[]>): number =>
      [...groups].reduce((sum, { length }) => sum + length, 0);
    return {
      passed: this.#passed,
      failed: this.#failed.length,
      skipped: count(this.#skipped.values()),
      skippedForRealServer: this.#options.requireRealServer ? 0 : count(forRealServer.map(([, outcomes]) => outcomes)),
    };
  }

  #printSkipped(): void {
    for (const [reason, outcomes] of this.#skipped) {
      this.#options.print(`\nskipped: ${reason}\n`);
      const byFile = Map.groupBy(outcomes, ({ file }) => file);
      for (const [file, { length }] of byFile) this.#options.print(`  ${file}: ${length}\n`);
    }
  }

  #outcome(data: Located): Outcome {
    const parents = this.#open.slice(0, data.nesting);
    return { file: shortPath(data.file ?? data.name), name: [...parents, data.name].join(' > ') };
  }
}

/** The message and where it came from in our files; the test runner's own frames say nothing. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : inspect(error);
  const lines = (error.stack ?? String(error)).split('\n').filter((line) => !/^\s+at .*\(?node:/.test(line));
  const cause = error.cause === undefined ? [] : [`caused by: ${describeError(error.cause)}`];
  return [...lines, ...cause].join('\n');
}

const shortPath = (path: string): string => relative(process.cwd(), path) || path;

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
