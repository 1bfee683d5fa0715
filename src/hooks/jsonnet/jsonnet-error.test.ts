import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonnetErrorFacts } from './jsonnet-error.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly what: string;
  readonly why?: string;
  /** "file:line:column-endColumn" */
  readonly at?: string;
  readonly path?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'Go, at run time',
    text: 'RUNTIME ERROR: no a\n\t/x/a.jsonnet:1:14-29\tfunction <f>\n\t<std>:3:1-2\tfunction <g>\n\tDuring evaluation\t\n',
    what: 'no a',
    why: '    at function <f> (a.jsonnet:1:14-29)',
    at: '/x/a.jsonnet:1:14-29',
  },
  {
    name: 'Go, over several lines',
    text: 'RUNTIME ERROR: a\nb\n\n\t/x/a.jsonnet:(1:19)-(4:4)\tfunction <anonymous>\n',
    what: 'a\nb',
    why: '    at function <anonymous> (a.jsonnet:(1:19)-(4:4))',
    at: '/x/a.jsonnet:1:19-',
  },
  {
    name: 'Go, before it runs',
    text: '/x/a.jsonnet:3:3-4 Expected a comma\n\n\n',
    what: 'Expected a comma',
    at: '/x/a.jsonnet:3:3-4',
  },
  {
    name: 'Go, in the answer',
    text: 'RUNTIME ERROR: no function\n\tArray element 0\t\n\tField "a b"\t\n\tDuring manifestation\t\n',
    what: 'no function',
    path: '["a b"][0]',
  },
  {
    name: 'C++, at run time',
    text: 'RUNTIME ERROR: boom\n\t/x/lib.libsonnet:2:10-22\tfunction <f>\n\tstdin:1:1-9\t$\n\tstd.jsonnet:9:1\tthunk\n',
    what: 'boom',
    why: '    at function <f> (lib.libsonnet:2:10-22)',
    at: '/x/lib.libsonnet:2:10-22',
  },
  {
    name: 'C++, before it runs',
    text: 'STATIC ERROR: /x/a.jsonnet:3:3: expected a comma',
    what: 'expected a comma',
    at: '/x/a.jsonnet:3:3-',
  },
  { name: 'a path with a colon', text: '/x:1/a b.jsonnet:1:2-3 wrong', what: 'wrong', at: '/x:1/a b.jsonnet:1:2-3' },
  { name: 'a message that looks like a place is not cut short', text: 'RUNTIME ERROR: ratio 3:4', what: 'ratio 3:4' },
  { name: 'control characters', text: 'RUNTIME ERROR: a\u001b[31mb', what: 'a[31mb' },
];

for (const { name, text, what, why = '', at, path } of CASES)
  test(name, () => {
    const facts = jsonnetErrorFacts(text, '/x', ['stdin']);
    const { source } = facts;
    const place = source && `${source.file}:${source.line}:${source.column}-${source.endColumn ?? ''}`;
    assert.deepEqual([facts.what, facts.why, place, facts.path], [what, why, at, path]);
  });
