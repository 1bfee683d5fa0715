import type { Diagnostic } from '../../model/diagnostic.ts';
import type { DocumentPath, ParsedDocument, ParsedText } from './document.ts';
import { parseJsonAt } from './json-parser.ts';
import { createLineIndex, type LineIndex } from './line-index.ts';
import { duplicateKey, inexactInteger } from './problems.ts';

type Range = readonly [number, number];
type Places = ReadonlyMap<string, { readonly value: Range; readonly key?: Range }>;

/** Reads one or more JSON values that follow each other. Throws JsonSyntaxError; the rest are diagnostics. */
export function readJsonText(text: string, file: string): ParsedText {
  const lines = createLineIndex(file, text);
  const documents: ParsedDocument[] = [];
  const diagnostics: Diagnostic[] = [];
  let offset = text.startsWith('\ufeff') ? 1 : 0;
  while (offset < text.length) {
    const start = offset;
    const { value, end } = parseJsonAt(text, start, {
      duplicateKey: (key, from, to) => diagnostics.push(duplicateKey(key, lines.range(from, to))),
      inexactInteger: (from, to) => diagnostics.push(inexactInteger(text.slice(from, to), lines.range(from, to))),
    });
    documents.push({ value, locate: createLocator(text, start, lines) });
    offset = end;
  }
  return { documents, diagnostics };
}

function createLocator(text: string, start: number, lines: LineIndex): ParsedDocument['locate'] {
  let places: Places | undefined;
  return (path, part = 'value') => {
    places ??= collectPlaces(text, start);
    for (let depth = path.length; depth >= 0; depth--) {
      const place = places.get(keyOf(path.slice(0, depth)));
      if (!place) continue;
      const isMapOrList = /[{[]/.test(text.charAt(place.value[0]));
      const range = place.key && (part === 'key' || isMapOrList || depth < path.length) ? place.key : place.value;
      return lines.range(range[0], range[1]);
    }
    return lines.range(start);
  };
}

function collectPlaces(text: string, start: number): Places {
  const places = new Map<string, { value: Range; key?: Range }>();
  parseJsonAt(text, start, {
    value: (path, value, key) => places.set(keyOf(path), { value, ...(key ? { key } : {}) }),
  });
  return places;
}

const keyOf = (path: DocumentPath): string => JSON.stringify(path);
