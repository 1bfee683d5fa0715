// One kubeconfig file: read, checked as far as we rely on it, its relative paths made absolute (they are relative to
// the file). Entries stay as written, so that credential plugins get all of theirs.

import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { kubeconfigProblem } from './problems.ts';

export type Entries = ReadonlyMap<string, JsonObject>;

export interface Kubeconfig {
  readonly clusters: Entries;
  readonly users: Entries;
  readonly contexts: Entries;
  readonly currentContext: string | undefined;
}

/** Larger files are no kubeconfigs. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const CLUSTER_PATHS = ['certificate-authority'];
const USER_PATHS = ['client-certificate', 'client-key', 'tokenFile'];

/** undefined: there is no such file. */
export async function readKubeconfig(file: string): Promise<Kubeconfig | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const document = parse(text, file);
  const directory = dirname(resolve(file));
  const current = document['current-context'];
  return {
    clusters: entriesOf(document, { section: 'clusters', key: 'cluster', file }, (entry) =>
      absolutePaths(entry, CLUSTER_PATHS, directory),
    ),
    users: entriesOf(document, { section: 'users', key: 'user', file }, (entry) =>
      absoluteCommand(absolutePaths(entry, USER_PATHS, directory), directory),
    ),
    contexts: entriesOf(document, { section: 'contexts', key: 'context', file }, (entry) => entry),
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
  };
}

/** As kubectl merges: the first file that has an entry, or a current context, wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = (pick: (config: Kubeconfig) => Entries): Entries =>
    new Map([...configs].reverse().flatMap((config) => [...pick(config)]));
  return {
    clusters: merge((config) => config.clusters),
    users: merge((config) => config.users),
    contexts: merge((config) => config.contexts),
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw kubeconfigProblem(`kubeconfig ${file} can't be read: ${code}`);
  }
}

function parse(text: string, file: string): JsonObject {
  if (text.length > MAX_CHARACTERS) throw kubeconfigProblem(`kubeconfig ${file} is too large`);
  const lineCounter = new LineCounter();
  // prettyErrors would quote the line, and with it perhaps a token.
  const document = parseDocument(text, { prettyErrors: false, lineCounter, merge: true });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    throw kubeconfigProblem(`kubeconfig ${file} is not valid YAML (${problem.code})`, {
      source: { file, line, column: col },
    });
  }
  const value: unknown = toJs(document, file);
  if (value === null) return {};
  if (!isJsonObject(value))
    throw kubeconfigProblem(`kubeconfig ${file} is not a map with clusters, users and contexts`);
  return value;
}

function toJs(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases without an anchor, or too many of them.
    throw kubeconfigProblem(`kubeconfig ${file} has YAML aliases that can't be resolved`);
  }
}

interface Section {
  readonly section: string;
  readonly key: string;
  readonly file: string;
}

function entriesOf(document: JsonObject, at: Section, adapt: (entry: JsonObject) => JsonObject): Entries {
  const list = document[at.section] ?? null;
  if (list === null) return new Map();
  if (!isJsonArray(list)) throw kubeconfigProblem(`kubeconfig ${at.file}: ${at.section} is not a list`);
  const pairs = list.map((item, index): [string, JsonObject] => {
    const [name, entry] = nameAndEntry(item, at.key);
    if (typeof name !== 'string' || name === '') {
      throw kubeconfigProblem(`kubeconfig ${at.file}: ${at.section}[${index}] has no name`);
    }
    if (!isJsonObject(entry)) {
      throw kubeconfigProblem(`kubeconfig ${at.file}: ${at.section}[${index}] ("${name}") has no ${at.key}`);
    }
    return [name, adapt(entry)];
  });
  // Of two entries with one name the first counts, within a file as among files.
  return new Map(pairs.reverse());
}

function nameAndEntry(item: JsonValue, key: string): [JsonValue | undefined, JsonValue | undefined] {
  // `user:` may be empty: an identity without credentials.
  return isJsonObject(item) ? [item['name'], item[key] ?? (key === 'user' ? {} : undefined)] : [undefined, undefined];
}

function absolutePaths(entry: JsonObject, keys: readonly string[], directory: string): JsonObject {
  const changed = keys.flatMap((key): [string, string][] => {
    const path = entry[key];
    return typeof path === 'string' && path !== '' && !isAbsolute(path) ? [[key, join(directory, path)]] : [];
  });
  return changed.length === 0 ? entry : { ...entry, ...Object.fromEntries(changed) };
}

/** A plugin's command with a slash in it is relative to the file; a bare name is looked up in PATH. */
function absoluteCommand(user: JsonObject, directory: string): JsonObject {
  const exec = user['exec'];
  const command = isJsonObject(exec) ? exec['command'] : undefined;
  if (!isJsonObject(exec) || typeof command !== 'string' || !command.includes('/') || isAbsolute(command)) return user;
  return { ...user, exec: { ...exec, command: join(directory, command) } };
}

/** A text that is there and not empty. */
export function textOf(entry: JsonObject, key: string): string | undefined {
  const value = entry[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
