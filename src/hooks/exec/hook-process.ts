// One running program of an exec hook, in a process group of its own so that what it started dies with it.
// Invariant: a process that was started here is either seen to have ended or killed by `stop`.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { ExecHook } from '../../model/definition.ts';
import { HookFailure } from '../failure.ts';
import { excerptEnd, LineSplitter } from '../foreign-text.ts';
import type { RunnerContext } from '../runner.ts';

/** What is kept of stderr, for the message when the hook fails. */
const STDERR_BYTES = 16 * 1024;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The program could not be started at all. */
  readonly error?: NodeJS.ErrnoException;
}

export interface ProcessOptions {
  readonly context: RunnerContext;
  readonly label: string;
  /** Variables beside the clean environment and the hook's own. */
  readonly extraEnv?: Readonly<Record<string, string>>;
}

export class HookProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** When the program has ended and its output is read to the end. Never rejects. */
  readonly closed: Promise<Ending>;
  readonly #hook: ExecHook;
  readonly #options: ProcessOptions;
  #stderr: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #stopping: Promise<void> | undefined;

  /** Throws HookFailure when the system refuses at once; a command that isn't found shows in `closed`. */
  constructor(hook: ExecHook, options: ProcessOptions) {
    this.#hook = hook;
    this.#options = options;
    this.child = this.#spawn();
    this.closed = this.#watch();
  }

  /** SIGTERM to the group, SIGKILL after the grace time, and done when it is gone. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Why there is no answer, once the program has ended. */
  failure(ending: Ending): HookFailure {
    const { error } = ending;
    if (error) return new HookFailure(startFailure(this.#hook, error), { cause: error });
    const how = ending.signal === null ? `ended with exit code ${ending.code}` : `was killed by ${ending.signal}`;
    return new HookFailure({ code: 'hook-failed', what: `${commandText(this.#hook)} ${how}`, why: this.stderrText() });
  }

  /** A timeout gets what the program is and what it has said by now; other reasons stay as they are. */
  explain(reason: unknown): unknown {
    if (!(reason instanceof HookFailure)) return reason;
    const held = this.child.exitCode === null ? '' : '\nIt has ended, but what it started still holds its stdout.';
    const what = `${commandText(this.#hook)}: ${reason.facts.what}`;
    return new HookFailure({ ...reason.facts, what, why: `${this.stderrText()}${held}` });
  }

  /** The end of what it wrote there. */
  get stderr(): string {
    return new TextDecoder().decode(this.#stderr);
  }

  stderrText(): string {
    const text = excerptEnd(this.stderr);
    return text === '' ? 'It wrote nothing to stderr.' : `The end of its stderr:\n${text}`;
  }

  #spawn(): ChildProcessWithoutNullStreams {
    const [program = '', ...args] = this.#hook.command;
    const env = { ...this.#options.context.environment, ...this.#hook.env, ...this.#options.extraEnv };
    try {
      return spawn(program, args, { cwd: this.#hook.directory, env, detached: true, stdio: 'pipe' });
    } catch (error) {
      throw new HookFailure(startFailure(this.#hook, error as NodeJS.ErrnoException), { cause: error });
    }
  }

  #watch(): Promise<Ending> {
    const { child } = this;
    const { context, label } = this.#options;
    const lines = new LineSplitter();
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_BYTES);
      for (const line of lines.push(chunk)) context.onOutput(label, line);
    });
    child.stderr.on('end', () => {
      for (const line of lines.end()) context.onOutput(label, line);
    });
    // A hook may answer without reading its request to the end; then our write fails with EPIPE, which is no error.
    // Whatever else is wrong with stdin shows in the missing answer.
    child.stdin.on('error', () => undefined);
    return new Promise((resolve) => {
      let failed: NodeJS.ErrnoException | undefined;
      const done = (ending: Ending): void => {
        this.#isClosed = true;
        resolve(ending);
      };
      child.on('error', (error) => {
        failed ??= error;
        if (child.pid === undefined) done({ code: null, signal: null, error });
      });
      child.on('close', (code, signal) => done({ code, signal, ...(failed && !child.pid ? { error: failed } : {}) }));
    });
  }

  async #stop(): Promise<void> {
    if (this.#isClosed) return;
    this.#signalGroup('SIGTERM');
    const cancel = this.#options.context.clock.schedule(this.#options.context.limits.killGraceMs, () => this.#kill());
    await this.closed;
    cancel();
    // The leader is gone; what it left behind in its group, with its output redirected, goes too.
    this.#signalGroup('SIGKILL');
  }

  #kill(): void {
    this.#signalGroup('SIGKILL');
    // A process that left the group may still hold our pipes: 'close' must not wait for it.
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    this.child.stdin.destroy();
  }

  #signalGroup(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // ESRCH: nobody is left in the group. EPERM (macOS says it of zombies) means the same for our own children.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    }
  }
}

/** "python3 sync.py", shortened. */
export function commandText(hook: ExecHook): string {
  const text = hook.command.join(' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function startFailure(hook: ExecHook, error: NodeJS.ErrnoException): HookFailure['facts'] {
  const program = hook.command[0] ?? '';
  const { directory } = hook;
  const directoryThere = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  const base = { code: 'hook-failed', why: error.message } as const;
  if (!directoryThere) return { ...base, what: `the working directory ${directory} does not exist` };
  if (error.code === 'ENOENT')
    return {
      ...base,
      what: `the command ${program} was not found (working directory ${directory})`,
      hint: program.includes('/')
        ? 'check the path, and the interpreter in the first line of the script'
        : 'install it, put it on PATH, or write ./name for a file beside the definition',
    };
  if (error.code === 'EACCES')
    return {
      ...base,
      what: `the command ${program} may not be executed`,
      hint: `chmod +x it, or name its interpreter`,
    };
  if (error.code === 'ENOEXEC')
    return { ...base, what: `${program} is not a program`, hint: 'give the script a first line such as #!/bin/sh' };
  return { ...base, what: `the command ${program} could not be started (${error.code ?? 'unknown reason'})` };
}
