// The door for -f: paths → definitions and inputs. The problems of all files come back together; what is sound is
// returned beside them, and the caller decides whether errors stop it.

import type { Definition } from '../model/definition.ts';
import type { Diagnostic, DiagnosticCode, SourceRange } from '../model/diagnostic.ts';
import { formatRef, refKey } from '../model/ref.ts';
import type { Files } from '../ports/files.ts';
import { definitionFromObject } from './definition-from-object.ts';
import { readText } from './parse/read-text.ts';
import { toDiagnostic } from './problem.ts';
import { classify } from './read/classify.ts';
import { type FoundObject, findObjects } from './read/found-object.ts';
import { type InputObject, readInput } from './read/input-object.ts';
import { readSources, type SourceText } from './read/source-files.ts';

export interface LoadOptions {
  /** Files, directories, globs, "-". */
  readonly paths: readonly string[];
  readonly files: Files;
  /** Size limit of one file; 16 MiB unless given. */
  readonly maxBytes?: number;
}

export interface LoadedInputs {
  readonly definitions: readonly Definition[];
  readonly inputs: readonly InputObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export const MAX_BYTES = 16 * 2 ** 20;

export async function loadInputs({ paths, files, maxBytes = MAX_BYTES }: LoadOptions): Promise<LoadedInputs> {
  const { texts, diagnostics } = await readSources(paths, files, maxBytes);
  const loader = new Loader(diagnostics);
  for (const text of texts) loader.addText(text);
  return loader.result();
}

class Loader {
  readonly #definitions: Definition[] = [];
  readonly #inputs: InputObject[] = [];
  readonly #diagnostics: Diagnostic[];
  readonly #places = new Map<string, SourceRange>();

  constructor(diagnostics: readonly Diagnostic[]) {
    this.#diagnostics = [...diagnostics];
  }

  addText({ text, file, directory }: SourceText): void {
    const { documents, diagnostics } = readText(text, file);
    this.#diagnostics.push(...diagnostics);
    for (const document of documents) {
      const found = findObjects(document);
      this.#diagnostics.push(...found.diagnostics);
      for (const object of found.objects) this.#addObject(object, directory);
    }
  }

  result(): LoadedInputs {
    const isEmpty = this.#places.size === 0 && this.#diagnostics.length === 0;
    const nothing: Diagnostic = {
      severity: 'error',
      code: 'no-input',
      summary: 'The files hold no objects',
      hint: 'Pass manifests with -f: controller definitions, and what they need.',
    };
    const diagnostics = isEmpty ? [nothing] : this.#diagnostics;
    return { definitions: this.#definitions, inputs: this.#inputs, diagnostics };
  }

  #addObject(found: FoundObject, directory: string): void {
    const role = classify(found.object);
    if (typeof role === 'object') this.#diagnostics.push(toDiagnostic(role, found.place));
    else if (role === 'definition') this.#addDefinition(found, directory);
    else this.#addInput(found);
  }

  #addDefinition(found: FoundObject, directory: string): void {
    const { source, place } = found;
    const { definition, diagnostics } = definitionFromObject(found.object, { directory, source, place });
    this.#diagnostics.push(...diagnostics);
    if (this.#isNew(found, 'duplicate-definition') && definition) this.#definitions.push(definition);
  }

  #addInput(found: FoundObject): void {
    const { input, diagnostics } = readInput(found);
    this.#diagnostics.push(...diagnostics);
    if (input && this.#isNew(found, 'duplicate-object')) this.#inputs.push(input);
  }

  /** Reports an object that was there before. Objects without a usable name are never the same. */
  #isNew({ object, source, place }: FoundObject, code: DiagnosticCode): boolean {
    const ref = refOfFound(object);
    if (!ref) return true;
    const key = refKey(ref);
    const first = this.#places.get(key);
    if (!first) this.#places.set(key, source);
    else {
      this.#diagnostics.push({
        severity: 'error',
        code,
        summary: `${formatRef(ref)} is given twice`,
        detail: `First at ${first.file}:${first.line}.`,
        hint: 'Keep one of the two, or give them different names.',
        subject: ref,
        source: place.locate(['metadata', 'name']),
      });
    }
    return !first;
  }
}

function refOfFound({ apiVersion, kind, metadata }: FoundObject['object']) {
  const { name, namespace } = (metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  if (typeof name !== 'string' || name === '') return undefined;
  return { apiVersion, kind, ...(typeof namespace === 'string' && namespace ? { namespace } : {}), name };
}
