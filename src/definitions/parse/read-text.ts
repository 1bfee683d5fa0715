import type { ParsedText } from './document.ts';
import { JsonSyntaxError } from './json-parser.ts';
import { readJsonText } from './json-reader.ts';
import { createLineIndex } from './line-index.ts';
import { syntaxProblem } from './problems.ts';
import { readYamlText } from './yaml-reader.ts';

/**
 * Reads all documents of a file. As kubectl does, a text that starts with "{" is JSON first and YAML (flow style) if
 * that fails; a file called .json gets the JSON parser's complaint.
 */
export function readText(text: string, file: string): ParsedText {
  if (!/^\ufeff?\s*\{/.test(text)) return readYamlText(text, file);
  try {
    return readJsonText(text, file);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const asYaml = readYamlText(text, file);
    const isYaml = asYaml.documents.length > 0 && !asYaml.diagnostics.some((problem) => problem.severity === 'error');
    if (isYaml || !file.endsWith('.json')) return asYaml;
    const source = createLineIndex(file, text).range(error.offset, error.offset + 1);
    return { documents: [], diagnostics: [syntaxProblem(`JSON syntax: ${error.message}`, source)] };
  }
}
