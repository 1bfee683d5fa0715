// -f arguments → texts. Files, directories (every .yaml, .yml and .json below), globs and "-"; each file once.

import { dirname } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Files, FileTooLarge } from '../../ports/files.ts';

export interface SourceText {
  /** As the user would write it. */
  readonly file: string;
  readonly text: string;
  /** Absolute; the working directory for standard input. */
  readonly directory: string;
}

export interface SourceTexts {
  readonly texts: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
}

const MANIFEST = /\.(ya?ml|json)$/i;
/** JSON that lies beside hooks in a project and is never a manifest; read all the same when named itself. */
const NOT_MANIFESTS = /(^|[/\\])(package(-lock)?|tsconfig|jsconfig|biome)\.json$/;
const GLOB = /[*?[\]{}]/;

export async function readSources(paths: readonly string[], files: Files, maxBytes: number): Promise<SourceTexts> {
  const diagnostics: Diagnostic[] = [];
  const texts: SourceText[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const found = await findFiles(path, files, diagnostics);
    for (const file of found) {
      const key = file === '-' ? file : files.resolve(file);
      if (seen.has(key)) continue;
      seen.add(key);
      const text = await readOne(file, { files, maxBytes, diagnostics });
      if (text !== undefined) texts.push(text);
    }
  }
  return { texts, diagnostics };
}

async function findFiles(path: string, files: Files, diagnostics: Diagnostic[]): Promise<readonly string[]> {
  if (path === '-') return [path];
  if (path.trim() === '') {
    // An unset variable of a script, which would otherwise mean the working directory.
    diagnostics.push(unreadable('""', 'the path is empty', 'Say a file, a directory, a glob or "-".'));
    return [];
  }
  if (/^https?:\/\//.test(path)) {
    diagnostics.push(unreadable(path, 'it is a URL', `Pipe it: "curl -fsS ${path} | metactl ... -f -".`));
    return [];
  }
  try {
    const kind = await files.kind(path);
    if (kind === 'file') return [path];
    if (kind === 'directory') return some(path, (await files.walk(path)).filter(isManifest), diagnostics);
    if (GLOB.test(path)) return some(path, await filesOfGlob(path, files), diagnostics);
    diagnostics.push(unreadable(path, 'there is no such file or directory', 'Check the path; globs are expanded too.'));
  } catch (error) {
    diagnostics.push(unreadable(path, reasonOf(error)));
  }
  return [];
}

async function filesOfGlob(pattern: string, files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await files.glob(pattern)) {
    if (isManifest(path) && (await files.kind(path)) === 'file') found.push(path);
  }
  return found;
}

function some(path: string, found: readonly string[], diagnostics: Diagnostic[]): readonly string[] {
  if (found.length === 0) {
    const hint = 'Files end with .yaml, .yml or .json; hidden ones and node_modules are left out.';
    diagnostics.push({ severity: 'error', code: 'no-input', summary: `No manifest found in ${path}`, hint });
  }
  return found;
}

const isManifest = (path: string): boolean => MANIFEST.test(path) && !NOT_MANIFESTS.test(path);

interface Reading {
  readonly files: Files;
  readonly maxBytes: number;
  readonly diagnostics: Diagnostic[];
}

async function readOne(file: string, { files, maxBytes, diagnostics }: Reading): Promise<SourceText | undefined> {
  try {
    if (file === '-') {
      return { file: '<stdin>', text: await files.readStdin(maxBytes), directory: files.resolve('.') };
    }
    const text = await files.readText(file, maxBytes);
    return { file, text, directory: dirname(files.resolve(file)) };
  } catch (error) {
    if (error instanceof FileTooLarge) diagnostics.push(tooLarge(file, maxBytes));
    else diagnostics.push(unreadable(file === '-' ? 'standard input' : file, reasonOf(error)));
    return undefined;
  }
}

function tooLarge(file: string, maxBytes: number): Diagnostic {
  return {
    severity: 'error',
    code: 'file-too-large',
    summary: `${file === '-' ? 'Standard input' : file} is larger than ${Math.round(maxBytes / 2 ** 20)} MiB`,
    detail: `The limit is ${maxBytes} bytes a file.`,
    hint: 'Split it, or pass only the manifests.',
  };
}

function unreadable(path: string, reason: string, hint?: string): Diagnostic {
  const summary = `Can not read ${path}: ${reason}`;
  return { severity: 'error', code: 'file-unreadable', summary, ...(hint ? { hint } : {}) };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links form a loop',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
}
