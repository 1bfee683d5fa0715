// One rule, parsed: what it calls, whether it looks at the old state, and why it can't be evaluated where it can't.

import type { ASTNode } from '@marcbachmann/cel-js';
import { EVALUATION, KNOWN_FUNCTIONS } from './rule-environment.ts';

export interface CompiledExpression {
  readonly text: string;
  readonly usesOldSelf: boolean;
  readonly evaluate: (context: Readonly<Record<string, unknown>>) => unknown;
}

export type Compiled = CompiledExpression | { readonly text: string; readonly unsupported: string };

export function compileExpression(text: string): Compiled {
  try {
    const parsed = EVALUATION.parse(text);
    const stranger = calls(parsed.ast).find((name) => !KNOWN_FUNCTIONS.has(name));
    if (stranger !== undefined) return { text, unsupported: `it calls ${stranger}()` };
    return { text, usesOldSelf: mentions(parsed.ast, 'oldSelf'), evaluate: (context) => parsed(context) };
  } catch (error) {
    return { text, unsupported: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
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

const mentions = (ast: ASTNode, name: string): boolean =>
  [...nodes(ast)].some((node) => node.op === 'id' && node.args === name);
