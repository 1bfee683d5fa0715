// Where configuration files are looked for. cosmiconfig walks the places and reads what it finds; what the text means is
// read-file.ts's business, so nothing is parsed, imported or run here.
//
// Its inner class is used, not its door: the door reads cosmiconfig's own configuration in the working directory first,
// `.config/config.js` included, which it runs; no option prevents that (find-files.test.ts plants one). Each directory is
// a search of its own: the strategies that climb would go on to the user's directory as if it were the project's.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import * as explorerModule from 'cosmiconfig/dist/Explorer.js';

const NAME = 'metactl';
const EXECUTABLE = ['.ts', '.mjs', '.js'];
const DATA = ['', '.json', '.yaml', '.yml'];

/** Data before code. */
const PROJECT_PLACES = [
  'package.json',
  ...DATA.map((extension) => `.${NAME}rc${extension}`),
  ...DATA.map((extension) => join('.config', `${NAME}rc${extension}`)),
  ...EXECUTABLE.map((extension) => `.${NAME}rc${extension}`),
  ...EXECUTABLE.map((extension) => `${NAME}.config${extension}`),
];
const USER_PLACES = [...DATA, ...EXECUTABLE].map((extension) => `config${extension}`);

export interface FoundFile {
  readonly path: string;
  readonly text: string;
}

interface Explorer {
  search(from: string): Promise<{ readonly config: FoundFile } | null>;
}
type Loader = (path: string, text: string) => unknown;
/** The package declares no types for it. */
const { Explorer } = explorerModule as unknown as {
  readonly Explorer: new (options: Readonly<Record<string, unknown>>) => Explorer;
};

export interface Places {
  readonly workingDirectory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** False: files that are programs are not looked for. */
  readonly executable: boolean;
}

/** The nearest one, from the working directory up to the root of the git repository; outside of one no further. */
export async function findProjectFile({ workingDirectory, executable }: Places): Promise<FoundFile | undefined> {
  const explorer = explorerOf(PROJECT_PLACES, executable);
  for (const directory of upToRepository(workingDirectory)) {
    const found = await explorer.search(directory);
    if (found) return found.config;
  }
  return undefined;
}

/** In $XDG_CONFIG_HOME/metactl, else ~/.config/metactl. */
export async function findUserFile({ variables, executable }: Places): Promise<FoundFile | undefined> {
  const base = variables['XDG_CONFIG_HOME'] || join(variables['HOME'] || homedir(), '.config');
  const directory = join(base, NAME);
  if (!existsSync(directory)) return undefined;
  return (await explorerOf(USER_PLACES, executable).search(directory))?.config;
}

export function isExecutable(path: string): boolean {
  return [...EXECUTABLE, '.cjs', '.mts', '.cts'].includes(extname(path));
}

function explorerOf(places: readonly string[], executable: boolean): Explorer {
  return new Explorer({
    moduleName: NAME,
    searchStrategy: 'none',
    searchPlaces: places.filter((place) => executable || !isExecutable(place)),
    ignoreEmptySearchPlaces: true,
    transform: (result: unknown) => result,
    metaConfigFilePath: null,
    loaders: { default: load },
  });
}

/** Of a package.json cosmiconfig wants the property with our name; without it the search goes on. */
const load: Loader = (path, text) => {
  const found: FoundFile = { path, text };
  if (basename(path) !== 'package.json') return found;
  return hasOurKey(text) ? { [NAME]: found } : {};
};

function hasOurKey(text: string): boolean {
  if (!text.includes(`"${NAME}"`)) return false;
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && Object.hasOwn(document, NAME);
  } catch {
    return false; // Somebody else's file, which npm will complain of.
  }
}

function upToRepository(start: string): readonly string[] {
  const climbed: string[] = [];
  for (let directory = start; ; directory = dirname(directory)) {
    climbed.push(directory);
    if (existsSync(join(directory, '.git'))) return climbed;
    if (dirname(directory) === directory) return [start];
  }
}
