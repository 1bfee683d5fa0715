// The types of Kubernetes' kinds for dist/types: what src/sdk/kinds.ts takes from the package kubernetes-models, and what that refers to,
// as one file of declarations beside ours. So users of the SDK install nothing for it, and the package (18 MB with its classes and
// validators, of which nothing runs here) stays a dev dependency.
//
// The package's declarations are generated and of few shapes: one interface or alias a file, under a name that is its own in all of
// Kubernetes, then a class, which is left out. A file of another shape is an error, so that a new release is looked at.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', 'node_modules');
const FILE = 'kubernetes-models.d.ts';

interface Declared {
  /** "IIoK8sApiCoreV1Pod" */
  readonly name: string;
  /** Without imports and class. */
  readonly text: string;
  readonly imports: readonly string[];
}

/** Puts the declarations into the directory of types, and makes kinds.d.ts in it import them from there. */
export function vendorTypes(directory: string): void {
  const kinds = join(directory, 'src', 'sdk', 'kinds.d.ts');
  const declared = new Map<string, Declared>();
  const text = readFileSync(kinds, 'utf8').replaceAll(
    /import type \{ (\w+) \} from '(kubernetes-models\/[^']+)';/g,
    (_, name: string, module: string) => {
      collect(`${module}.d.ts`, declared);
      return `import type { ${declared.get(`${module}.d.ts`)?.name} as ${name} } from '../../${FILE.replace('.d.ts', '.js')}';`;
    },
  );
  if (declared.size === 0) throw new Error(`${kinds} takes nothing from kubernetes-models`);
  const all = [...declared.keys()].sort().map((file) => declared.get(file)?.text);
  writeFileSync(join(directory, FILE), `${heading()}\n${all.join('\n')}`);
  writeFileSync(kinds, text);
}

function heading(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, 'kubernetes-models', 'package.json'), 'utf8')) as {
    version: string;
  };
  const licence = readFileSync(join(PACKAGES, 'kubernetes-models', 'LICENSE'), 'utf8').trim();
  const lines = [
    `Types of Kubernetes' kinds, from kubernetes-models ${version}, which generates them from the OpenAPI definitions of`,
    'Kubernetes (Apache-2.0). The licence of kubernetes-models:',
    '',
    ...licence.split('\n'),
  ];
  return `/*\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function collect(file: string, declared: Map<string, Declared>): void {
  if (declared.has(file)) return;
  const one = declarationOf(file);
  declared.set(file, one);
  for (const module of one.imports) collect(module, declared);
}

function declarationOf(file: string): Declared {
  const text = readFileSync(join(PACKAGES, file), 'utf8');
  const [, own, name] = /^export type \{ (I\w+) as (IIo\w+), \w+ as \w+ \};$/m.exec(text) ?? [];
  if (own === undefined || name === undefined) throw new Error(`${file}: there is no name to know it by`);
  const declaration =
    new RegExp(
      `(?:^/\\*\\*\\n(?: \\*.*\\n)+)?^export interface ${own} (?:extends TypeMeta )?\\{\\n(?: .*\\n)*\\}\\n`,
      'm',
    ).exec(text) ?? new RegExp(`(?:^/\\*\\*\\n(?: \\*.*\\n)+)?^export type ${own} = .*;\\n`, 'm').exec(text);
  if (declaration === null) throw new Error(`${file}: neither an interface nor an alias ${own}`);
  const renamed = declaration[0].replace(' extends TypeMeta {', ' {').replaceAll(new RegExp(`\\b${own}\\b`, 'g'), name);
  const imports = [...text.matchAll(/^import \{ (\w+) \} from "([^"]+)";$/gm)]
    .filter(([, imported = '']) => renamed.includes(imported))
    .map(([, , module = '']) => fileOf(module, file));
  return { name, text: renamed, imports };
}

function fileOf(module: string, importer: string): string {
  if (!module.startsWith('.')) return `${module}.d.ts`;
  return posix.join(dirname(importer), module).replace(/[.]js$/, '.d.ts');
}
