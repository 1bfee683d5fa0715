// Use cases of `metactl sandbox snapshot` and `metactl sandbox restore`: all objects of a sandbox directory as one JSON
// document, and back to it. Nobody acts on the objects meanwhile; who opens the directory next goes on with them.

import { type JsonValue, parseJson, stringifyJson } from '../kit/json.ts';
import { type DiagnosticCode, DiagnosticError } from '../model/diagnostic.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { AppEnvironment } from './options.ts';

const MAX_BYTES = 512 * 1024 * 1024;

/** The document, ending with a newline. Throws DiagnosticError when the directory can't be had. */
export async function snapshotSandbox(directory: string, environment: AppEnvironment): Promise<string> {
  return inDirectory(directory, environment, (sandbox) => `${stringifyJson(sandbox.snapshot())}\n`);
}

export interface RestoreOptions {
  readonly directory: string;
  /** "-": stdin. */
  readonly file: string;
}

/** Throws DiagnosticError when the file is no snapshot or the directory can't be had; nothing has been changed then. */
export async function restoreSandbox({ directory, file }: RestoreOptions, environment: AppEnvironment): Promise<void> {
  const { parseSnapshot } = await import('../sandbox/index.ts');
  const snapshot = parseSnapshot(await readJson(file, environment));
  if (!snapshot) throw problem('invalid-value', `${file} is not a snapshot of a sandbox`);
  await inDirectory(directory, environment, (sandbox) => sandbox.restore(snapshot));
}

async function inDirectory<T>(directory: string, { clock }: AppEnvironment, act: (sandbox: Sandbox) => T): Promise<T> {
  const { openSandboxDirectory } = await import('../sandbox/index.ts');
  const sandbox = await openSandboxDirectory(directory, { clock, workloads: false });
  try {
    return act(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function readJson(file: string, { files }: AppEnvironment): Promise<JsonValue> {
  let text: string;
  try {
    text = await (file === '-' ? files.readStdin(MAX_BYTES) : files.readText(file, MAX_BYTES));
  } catch (cause) {
    throw problem(
      'file-unreadable',
      `${file} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw problem('file-unreadable', `${file} is not JSON: ${cause.message}`);
    throw cause;
  }
}

const problem = (code: DiagnosticCode, summary: string): DiagnosticError =>
  new DiagnosticError([{ severity: 'error', code, summary }]);
