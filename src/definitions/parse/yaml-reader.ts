// YAML as kubectl reads it. The package `yaml` makes the tree, with the bare "failsafe" schema; what the words in it mean
// (numbers, booleans, merge keys, tags) is decided here and in kubectl-scalar.ts, where go-yaml v2 is the model.

import { type Document, isNode, type Node, parseAllDocuments } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ParsedDocument, ParsedText } from './document.ts';
import { createLineIndex } from './line-index.ts';
import { syntaxProblem } from './problems.ts';
import { convertTree } from './yaml-convert.ts';
import { createTreeLocator } from './yaml-locate.ts';
import { syntaxProblems } from './yaml-problems.ts';

const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Reads all documents of a text; empty ones are left out. A document with problems is left out as well. */
export function readYamlText(text: string, file: string): ParsedText {
  const lines = createLineIndex(file, text);
  const control = CONTROL_CHARACTER.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).padStart(2, '0');
    const summary = `YAML text holds the control character 0x${code}`;
    const hint = 'Remove it, or write it as an escape in a double-quoted string.';
    return { documents: [], diagnostics: [syntaxProblem(summary, lines.range(control.index), hint)] };
  }
  const parsed = parseTrees(text);
  if (!parsed) return { documents: [], diagnostics: [syntaxProblem('YAML is nested too deeply', lines.range(0))] };
  const documents: ParsedDocument[] = [];
  const diagnostics: Diagnostic[] = syntaxProblems(
    parsed.flatMap((tree) => tree.errors),
    lines,
  );
  for (const tree of parsed) {
    if (tree.errors.length > 0 || !isNode(tree.contents) || isEmpty(tree.contents)) continue;
    const { value, targets, problems } = convertTree(tree.contents, lines);
    diagnostics.push(...problems);
    if (problems.some((problem) => problem.severity === 'error')) continue;
    documents.push({ value, locate: createTreeLocator(tree.contents, targets, lines) });
  }
  return { documents, diagnostics };
}

/** Undefined when the nesting exhausts the stack. */
function parseTrees(text: string): readonly Document.Parsed[] | undefined {
  try {
    return parseAllDocuments(text, {
      schema: 'failsafe',
      resolveKnownTags: false,
      // Found during conversion instead, where 1 and "1" are the same key.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    }) as readonly Document.Parsed[];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isEmpty(contents: Node): boolean {
  return 'value' in contents && contents.value === '' && 'type' in contents && contents.type === 'PLAIN';
}
