// Label selectors as they stand in a URL: "app=web,tier in (a,b),!canary,weight>3". Lexer and parser follow
// apimachinery's, so that a malformed selector is refused in the same words.

import { badRequest } from '../http/status-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '../meta/names.ts';

export type Labels = Readonly<Record<string, string>>;
export type Matcher<T> = (value: T) => boolean;

type Token = { readonly kind: 'word' | 'symbol' | 'end'; readonly text: string };

const SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '>', '<'];
const SPECIAL = /[=!(),<>]/;
const OPERATORS = new Set(['in', 'notin', '=', '==', '!=', '>', '<']);

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const rest = text.slice(i);
    const space = /^\s+/.exec(rest);
    const symbol = SYMBOLS.find((s) => rest.startsWith(s));
    if (space) i += space[0].length;
    else if (symbol) {
      found.push({ kind: 'symbol', text: symbol });
      i += symbol.length;
    } else {
      const end = [...rest].findIndex((c) => SPECIAL.test(c) || /\s/.test(c));
      const word = end < 0 ? rest : rest.slice(0, end);
      found.push({ kind: 'word', text: word });
      i += word.length;
    }
  }
  return found;
}

const unparsable = (why: string): Error => badRequest(`unable to parse requirement: ${why}`);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  selector(): Matcher<Labels>[] {
    const requirements: Matcher<Labels>[] = [];
    if (this.peek().kind === 'end') return requirements;
    for (;;) {
      const token = this.peek();
      if (token.kind !== 'word' && token.text !== '!') {
        throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.requirement());
      const separator = this.next();
      if (separator.kind === 'end') return requirements;
      if (separator.text !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const following = this.peek();
      if (following.kind !== 'word' && following.text !== '!') {
        throw badRequest(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  requirement(): Matcher<Labels> {
    const negated = this.peek().text === '!' && this.next().text === '!';
    const key = this.next();
    if (key.kind !== 'word') throw unparsable(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    const operator = this.peek();
    if (negated) return (labels) => !Object.hasOwn(labels, key.text);
    if (operator.kind === 'end' || operator.text === ',') return (labels) => Object.hasOwn(labels, key.text);
    this.next();
    if (!OPERATORS.has(operator.text)) {
      throw unparsable(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    return this.operation(key.text, operator.text);
  }

  operation(key: string, operator: string): Matcher<Labels> {
    if (operator === 'in' || operator === 'notin') {
      const values = new Set(this.valueList());
      const inside: Matcher<Labels> = (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '');
      return operator === 'in' ? inside : (labels) => !inside(labels);
    }
    const value = this.peek().kind === 'word' ? this.next().text : '';
    if (operator === '>' || operator === '<') return compareWith(key, operator, value);
    checkValue(value);
    const equal: Matcher<Labels> = (labels) => Object.hasOwn(labels, key) && labels[key] === value;
    return operator === '!=' ? (labels) => !equal(labels) : equal;
  }

  valueList(): string[] {
    const open = this.next();
    if (open.text !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const value = this.peek().kind === 'word' ? this.next().text : '';
      checkValue(value);
      values.push(value);
      const separator = this.next();
      if (separator.text === ')') return values;
      if (separator.text !== ',') throw unparsable(`found '${separator.text}', expected: ',' or ')'`);
    }
  }
}

function compareWith(key: string, operator: '>' | '<', value: string): Matcher<Labels> {
  if (!/^-?\d+$/.test(value)) {
    const why = `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`;
    throw unparsable(why);
  }
  return (labels) => {
    const actual = labels[key] ?? '';
    if (!/^-?\d+$/.test(actual)) return false;
    return operator === '>' ? Number(actual) > Number(value) : Number(actual) < Number(value);
  };
}

function checkKey(key: string): void {
  const problems = qualifiedNameProblems(key);
  if (problems.length > 0) throw unparsable(`key: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`);
}

function checkValue(value: string): void {
  const problems = labelValueProblems(value);
  if (problems.length > 0) {
    throw unparsable(`values[0][]: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`);
  }
}

/** Throws a 400 StatusError for a selector that can't be read. undefined: everything matches. */
export function parseLabelSelector(text: string): Matcher<Labels> | undefined {
  const requirements = new Parser(text).selector();
  if (requirements.length === 0) return undefined;
  return (labels) => requirements.every((requirement) => requirement(labels));
}
