// One configuration file with everything that it imports → settings, each with its place. Nothing is thrown for what a
// user wrote: problems are collected.

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type AppEnvironment,
  type CheckedDocument,
  checkDocument,
  type DocumentShape,
  readDocument,
} from '../../app/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../kit/json.ts';
import type { Diagnostic, SourceRange } from '../../model/diagnostic.ts';

import { configCheck } from './config-check.ts';
import { type FoundFile, isExecutable } from './find-files.ts';
import { explainRefused } from './refused.ts';
import { configSchema } from './schema.ts';
import { SETTINGS } from './settings.ts';

/** One setting as it stands in a file. */
export interface Located {
  readonly value: JsonValue;
  /** `file` is as diagnostics name it; the setting's paths are relative to it. */
  readonly source: SourceRange;
}
export type Values = ReadonlyMap<string, Located>;

export interface FileSettings {
  readonly values: Values;
  readonly profiles: ReadonlyMap<string, Values>;
}

export interface ReadContext {
  readonly files: Pick<AppEnvironment['files'], 'readText'>;
  /** Asked before a file is run; a diagnostic is the reason why not. */
  readonly mayRun: (file: string) => Promise<Diagnostic | undefined>;
  readonly problems: Diagnostic[];
}

/** A configuration of a megabyte is none. */
const MAX_BYTES = 1024 * 1024;
const NOTHING: FileSettings = { values: new Map(), profiles: new Map() };
const shape = (): DocumentShape => ({ schema: configSchema, check: configCheck() });

export async function readConfigFile(found: FoundFile, context: ReadContext): Promise<FileSettings> {
  return readWithImports(found, [], context);
}

async function readWithImports(
  found: FoundFile,
  importedBy: readonly string[],
  context: ReadContext,
): Promise<FileSettings> {
  const document = await readOne(found, context);
  if (!document) return NOTHING;
  context.problems.push(...document.diagnostics.map(explainRefused));
  const chain = [...importedBy, found.path];
  const layers: FileSettings[] = [];
  const imports = (document.value['$import'] ?? []) as readonly (string | undefined)[];
  for (const [index, path] of imports.entries()) {
    if (path === undefined) continue;
    const source = document.locate(['$import', index]);
    const imported = await openImport(join(dirname(found.path), path), source, { chain, context });
    if (imported) layers.push(await readWithImports(imported, chain, context));
  }
  return merge([...layers, settingsOf(document)]);
}

/** Undefined, and the problem told, when it can't be had. */
async function openImport(
  path: string,
  source: SourceRange,
  { chain, context }: { readonly chain: readonly string[]; readonly context: ReadContext },
): Promise<FoundFile | undefined> {
  if (chain.includes(path)) {
    const detail = [...chain.slice(chain.indexOf(path)), path].map(shownPath).join('\n  imports ');
    const summary = `${shownPath(path)} imports itself`;
    context.problems.push({ severity: 'error', code: 'invalid-value', summary, detail, source });
    return undefined;
  }
  try {
    return { path, text: await context.files.readText(path, MAX_BYTES) };
  } catch (error) {
    context.problems.push({ ...unreadable(path, error), source });
    return undefined;
  }
}

export function unreadable(path: string, error: unknown): Diagnostic {
  const code = (error as NodeJS.ErrnoException).code;
  const why = code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
  const summary = `The configuration ${shownPath(path)} can not be read: ${why}`;
  return { severity: 'error', code: 'file-unreadable', summary };
}

async function readOne(found: FoundFile, context: ReadContext): Promise<CheckedDocument | undefined> {
  const { path, text } = found;
  const file = shownPath(path);
  if (isExecutable(path)) return run(path, context);
  if (text.length > MAX_BYTES) {
    const summary = `${file} has more than ${MAX_BYTES} characters`;
    context.problems.push({ severity: 'error', code: 'file-too-large', summary });
    return undefined;
  }
  const at = basename(path) === 'package.json' ? ['metactl'] : [];
  return readDocument(text, { file, shape: shape(), at });
}

async function run(path: string, context: ReadContext): Promise<CheckedDocument | undefined> {
  const refused = await context.mayRun(path);
  if (refused) {
    context.problems.push(refused);
    return undefined;
  }
  const file = shownPath(path);
  try {
    const module = (await import(pathToFileURL(await realpath(path)).href)) as { default?: unknown };
    // Through text, so that what is no data (functions, classes) is gone before it is checked.
    const value = parseJson(stringifyJson((module.default ?? null) as JsonValue) ?? 'null');
    return await checkDocument(value, file, shape());
  } catch (error) {
    const detail = (error as Error).stack ?? String(error);
    const summary = `The configuration ${file} failed when it was run: ${String((error as Error).message)}`;
    context.problems.push({ severity: 'error', code: 'file-unreadable', summary, detail });
    return undefined;
  }
}

function settingsOf({ value, locate }: CheckedDocument): FileSettings {
  const valuesIn = (map: JsonObject, path: readonly string[]): Values =>
    new Map(
      SETTINGS.flatMap(({ key }) => {
        const given = Object.hasOwn(map, key) ? map[key] : undefined;
        return given === undefined ? [] : [[key, { value: given, source: locate([...path, key]) }] as const];
      }),
    );
  const profiles = isJsonObject(value['profiles']) ? value['profiles'] : {};
  const named = Object.entries(profiles).flatMap(([name, profile]) =>
    isJsonObject(profile) ? [[name, valuesIn(profile, ['profiles', name])] as const] : [],
  );
  return { values: valuesIn(value, []), profiles: new Map(named) };
}

/** A later one beats an earlier one, setting by setting. */
function merge(layers: readonly FileSettings[]): FileSettings {
  const profiles = new Map<string, Values>();
  for (const layer of layers)
    for (const [name, values] of layer.profiles)
      profiles.set(name, new Map([...(profiles.get(name) ?? []), ...values]));
  return { values: new Map(layers.flatMap(({ values }) => [...values])), profiles };
}

/** As the user would name it from where he is. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near !== '' && near.length < path.length ? near : path;
}
