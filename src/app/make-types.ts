// `metactl types`: the CustomResourceDefinitions of files → a TypeScript module.

import type { LocatedObject } from '../definitions/index.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { TYPES_HEADING, typesOfCrds } from '../typescript/index.ts';
import type { AppEnvironment } from './options.ts';

export interface TypesOptions {
  /** Files, directories, globs, "-". Objects of other kinds are passed over. */
  readonly paths: readonly string[];
  /** This version alone; absent: all that are served. */
  readonly version?: string;
  /** The file that the module will go to: what is there must have been made so too. */
  readonly target?: string;
}

export interface TypesOutcome {
  /** Absent where there was an error. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export async function makeTypes(options: TypesOptions, { files }: AppEnvironment): Promise<TypesOutcome> {
  const { loadObjects, toDiagnostic } = await import('../definitions/index.ts');
  const { objects, diagnostics } = await loadObjects({ paths: options.paths, files });
  const crds = objects.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  const { text, problems } = typesOfCrds(
    crds.map(({ object }) => object),
    options,
  );
  const located = crds.flatMap(({ place }, index) =>
    (problems[index] ?? []).map((problem) => toDiagnostic(problem, place)),
  );
  const all = [...diagnostics, ...located, ...(await replacing(options, files))];
  if (!hasErrors(all)) all.push(...nothingFound(crds, text, options));
  return hasErrors(all) ? { diagnostics: all } : { text, diagnostics: all };
}

function nothingFound(crds: readonly LocatedObject[], text: string, { version }: TypesOptions): Diagnostic[] {
  const error = (summary: string, hint: string): Diagnostic[] => [
    { severity: 'error', code: 'no-input', summary, hint },
  ];
  if (crds.length === 0)
    return error(
      'The files hold no CustomResourceDefinition',
      'Of a cluster: kubectl get crd NAME -o yaml | metactl types -f -',
    );
  if (text.includes('\nexport ')) return [];
  return version === undefined
    ? error('No version is served', 'Say --version NAME for one that is not.')
    : error(`No CustomResourceDefinition has a version ${version}`, 'Leave out --version for all that are served.');
}

const HEAD_BYTES = 64 * 2 ** 20;

/** A slip of the hand (`-o sync.ts`) costs nobody his hook. */
async function replacing({ target }: TypesOptions, files: AppEnvironment['files']): Promise<Diagnostic[]> {
  if (target === undefined || (await files.kind(target)) !== 'file') return [];
  const text = await files.readText(target, HEAD_BYTES);
  if (text.trim() === '' || text.startsWith(TYPES_HEADING)) return [];
  const summary = `${target} was not made by metactl types, and is left as it is`;
  return [{ severity: 'error', code: 'usage', summary, hint: 'Say another file, or remove this one.' }];
}
