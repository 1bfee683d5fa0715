// The door for whoever wants the objects of files and no controllers: every object with the way back to its places.

import type { Diagnostic } from '../model/diagnostic.ts';
import { type LoadOptions, MAX_BYTES } from './load-inputs.ts';
import { readText } from './parse/read-text.ts';
import { type FoundObject, findObjects } from './read/found-object.ts';
import { readSources } from './read/source-files.ts';

export type LocatedObject = FoundObject;

export interface LoadedObjects {
  /** In the order of the files. */
  readonly objects: readonly LocatedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function loadObjects({ paths, files, maxBytes = MAX_BYTES }: LoadOptions): Promise<LoadedObjects> {
  const sources = await readSources(paths, files, maxBytes);
  const objects: LocatedObject[] = [];
  const diagnostics = [...sources.diagnostics];
  for (const { text, file } of sources.texts) {
    const parsed = readText(text, file);
    diagnostics.push(...parsed.diagnostics);
    for (const document of parsed.documents) {
      const found = findObjects(document);
      objects.push(...found.objects);
      diagnostics.push(...found.diagnostics);
    }
  }
  return { objects, diagnostics };
}
