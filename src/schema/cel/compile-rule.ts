// One rule, parsed: what it calls, whether it looks at the old state, and why it can't be evaluated where it can't.

import type { ASTNode } from '@marcbachmann/cel-js';
import { EVALUATION, KNOWN_FUNCTIONS } from './rule-environment.ts';

export interface CompiledExpression {
  readonly text: string;
  readonly usesOldSelf: boolean;
  readonly evaluate: (context: Readonly<Record<string, unknown>>) => unknown;
}

export interface UnsupportedExpression {
  readonly text: string;
  /** Why it can't be evaluated. */
  readonly unsupported: string;
  /** The server can: it is no mistake. */
  readonly isKnown: boolean;
}

export type Compiled = CompiledExpression | UnsupportedExpression;

/** Functions and macros that the server has and the evaluator has not. */
const ONLY_THERE = new Set(
  'format quote masked isCanonical isGlobalUnicast getQuery first last sortBy range transformList transformMap transformMapEntry existsOne optMap optFlatMap authorizer path check allowed'.split(
    ' ',
  ),
);
const MACROS = new Set(['all', 'exists', 'exists_one']);

export function compileExpression(text: string): Compiled {
  try {
    const parsed = EVALUATION.parse(text);
    const stranger = calls(parsed.ast).find((name) => !KNOWN_FUNCTIONS.has(name));
    if (stranger !== undefined)
      return { text, unsupported: `it calls ${stranger}()`, isKnown: ONLY_THERE.has(stranger) };
    if (hasTwoVariables(parsed.ast)) return { text, unsupported: 'it has a macro with two variables', isKnown: true };
    return { text, usesOldSelf: mentions(parsed.ast, 'oldSelf'), evaluate: (context) => parsed(context) };
  } catch (error) {
    return {
      text,
      unsupported: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
      isKnown: false,
    };
  }
}

/** Every node of the tree. */
function* nodes(value: unknown): Generator<ASTNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodes(item);
  else if (isNode(value)) {
    yield value;
    yield* nodes(value.args);
  }
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

const calls = (ast: ASTNode): string[] =>
  [...nodes(ast)].flatMap((node) => (node.op === 'call' || node.op === 'rcall' ? [node.args[0]] : []));

const hasTwoVariables = (ast: ASTNode): boolean =>
  [...nodes(ast)].some((node) => node.op === 'rcall' && MACROS.has(node.args[0]) && node.args[2].length === 3);

const mentions = (ast: ASTNode, name: string): boolean =>
  [...nodes(ast)].some((node) => node.op === 'id' && node.args === name);
