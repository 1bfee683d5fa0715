// JSON → YAML that kubectl reads back as the same JSON. The package `yaml` quotes for YAML 1.2 and 1.1 by the book;
// kubectl's dialect (parse/kubectl-scalar.ts) has more words that must be quoted, and line breaks of Unicode that a
// quoted text must escape.

import { Document, isScalar, Scalar, visit } from 'yaml';
import type { JsonValue } from '../../kit/json.ts';
import { resolvePlain } from '../parse/kubectl-scalar.ts';

/** Characters that YAML 1.1 takes for line breaks, or refuses unescaped. */
const NEEDS_ESCAPE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
/** Those of them that JSON leaves as they are. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A text of several lines that a block would not bring back: indented, with blank lines of spaces, with tabs. */
const UNSAFE_AS_BLOCK = /^\s|\n[ ]+(\n|$)|\t/;

/** One document, with a line break at its end and no "---". Keys keep their order; undefined fields are left out. */
export function toKubectlYaml(object: JsonValue | object): string {
  const document = new Document(object, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && typeof node.value === 'string' && mustQuote(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0 });
  return text.replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function mustQuote(text: string): boolean {
  if (text === '<<' || NEEDS_ESCAPE.test(text) || resolvePlain(text).tag !== 'str') return true;
  return text.includes('\n') && UNSAFE_AS_BLOCK.test(text);
}
