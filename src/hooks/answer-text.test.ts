import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAnswer } from './answer-text.ts';
import { HookFailure } from './failure.ts';
import { scanJson } from './json-scan.ts';

function facts(answer: string | Uint8Array, strict = false): HookFailure['facts'] {
  try {
    parseAnswer(answer, { where: 'stdout', strict });
  } catch (error) {
    assert.ok(error instanceof HookFailure);
    return error.facts;
  }
  return assert.fail('the answer was taken');
}

describe('answers that can not be read', () => {
  const cases: { name: string; answer: string | Uint8Array; what: RegExp; hint?: RegExp; strict?: boolean }[] = [
    { name: 'nothing', answer: '', what: /the answer is empty.*stdout/, hint: /"children": \[\]/ },
    { name: 'white space', answer: ' \n', what: /the answer is empty/ },
    { name: 'Latin-1', answer: Buffer.from('{"a":"\xfc"}', 'latin1'), what: /not UTF-8/ },
    { name: 'half an answer', answer: '{"children": [', what: /breaks off at line 1, column 15/ },
    {
      name: 'a line and a column',
      answer: '{\n  "status": {},\n  "children": [,]\n}',
      what: /unexpected , at line 3, column 16/,
    },
    { name: 'text before it', answer: 'starting\n{}', what: /unexpected s at line 1, column 1/, hint: /stderr/ },
    { name: 'text after it', answer: '{}\ndone', what: /unexpected d at line 2, column 1/ },
    { name: 'HTML', answer: '<html>', what: /unexpected </, hint: /HTML/ },
    { name: "Python's repr", answer: "{'children': []}", what: /unexpected '/, hint: /json\.dumps/ },
    { name: "Python's None", answer: '{"status": None}', what: /unexpected N/, hint: /json\.dumps/ },
    { name: 'NaN', answer: '{"resyncAfterSeconds": NaN}', what: /unexpected N/, hint: /no NaN/ },
    { name: 'a raw line break in a string', answer: '{"a": "b\nc"}', what: /line 1, column 7/ },
    { name: 'too deep', answer: `${'['.repeat(600)}${']'.repeat(600)}`, what: /deeper than 500/ },
    {
      name: 'too deep, with a long number',
      answer: `${'['.repeat(50_000)}12345678901234567890${']'.repeat(50_000)}`,
      what: /deeper than 500/,
    },
    { name: 'far too deep', answer: '['.repeat(200_000), what: /breaks off/ },
    {
      name: 'a key twice, strict',
      answer: '{"status":{},\n"status":{}}',
      strict: true,
      what: /field status twice, at line 2, column 1/,
    },
    {
      name: 'a key twice in status',
      answer: '{"status":{"a":[{"b":1,"b":2}]}}',
      strict: true,
      what: /status\.a\[0\]\.b twice/,
    },
    { name: 'the same key, escaped', answer: '{"status":1,"st\\u0061tus":1}', strict: true, what: /status twice/ },
  ];
  for (const { name, answer, what, hint, strict } of cases)
    test(name, () => {
      const found = facts(answer, strict);
      assert.equal(found.code, 'answer-invalid');
      assert.match(found.what, what);
      if (hint) assert.match(found.hint ?? '', hint);
    });

  test('the excerpt has a caret under the place', () => {
    assert.match(facts('{"a": oops}').why ?? '', /^\{"a": oops\}\n {6}\^\n/);
  });
});

describe('answers that are read', () => {
  test('a key twice is the last one when loose, and in strict mode inside children', () => {
    assert.deepEqual(parseAnswer('{"a":1,"a":2}', { where: 'stdout', strict: false }), { a: 2 });
    parseAnswer('{"children":[{"kind":"A","kind":"B"}],"status":{}}', { where: 'stdout', strict: true });
  });

  test('integers above 2^53 keep their digits', () => {
    assert.deepEqual(parseAnswer('{"a":9007199254740993}', { where: 'stdout', strict: true }), {
      a: 9007199254740993n,
    });
  });

  test('a __proto__ key is data', () => {
    const value = parseAnswer('{"__proto__":{"polluted":true}}', { where: 'stdout', strict: true });
    assert.equal((value as Record<string, unknown>)['polluted'], undefined);
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
  });

  test('a byte order mark is skipped', () => {
    assert.deepEqual(parseAnswer(Buffer.from('\ufeff{}'), { where: 'stdout', strict: false }), {});
  });
});

test('the scanner and JSON.parse agree on what is JSON', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    ' ',
    '"\\n"',
    '"\\x"',
    '01',
  ];
  const seed = 20_261_121;
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: 1 + (next() % 8) }, () => pieces[(next() >> 8) % pieces.length]).join('');
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    assert.equal(scanJson(text) === undefined, valid, `seed ${seed}: ${text}`);
  }
});
