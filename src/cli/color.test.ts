import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ColorChoice, outputWidth, useAscii, useColor } from './color.ts';

test('colour: flag, then NO_COLOR, then FORCE_COLOR, then the terminal', () => {
  const cases: [why: string, choice: ColorChoice, variables: Record<string, string>, isTTY: boolean, want: boolean][] =
    [
      ['a terminal', 'auto', {}, true, true],
      ['no terminal', 'auto', {}, false, false],
      ['a dumb terminal', 'auto', { TERM: 'dumb' }, true, false],
      ['NO_COLOR', 'auto', { NO_COLOR: '1' }, true, false],
      ['an empty NO_COLOR does not count', 'auto', { NO_COLOR: '' }, true, true],
      ['FORCE_COLOR', 'auto', { FORCE_COLOR: '1' }, false, true],
      ['FORCE_COLOR=0', 'auto', { FORCE_COLOR: '0' }, true, false],
      ['NO_COLOR beats FORCE_COLOR', 'auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
      ['the flag beats NO_COLOR', 'always', { NO_COLOR: '1' }, false, true],
      ['the flag beats FORCE_COLOR', 'never', { FORCE_COLOR: '1' }, true, false],
    ];
  for (const [why, choice, variables, isTTY, want] of cases)
    assert.equal(useColor(choice, variables, isTTY), want, why);
});

test('ASCII: by flag, or by a locale that is set and is not UTF-8', () => {
  const cases: [flag: boolean, variables: Record<string, string>, want: boolean][] = [
    [true, { LANG: 'en_US.UTF-8' }, true],
    [false, {}, false],
    [false, { LANG: '' }, false],
    [false, { LANG: 'de_DE.utf8' }, false],
    [false, { LANG: 'C' }, true],
    [false, { LANG: 'C', LC_ALL: 'C.UTF-8' }, false],
    [false, { LANG: 'C.UTF-8', LC_CTYPE: 'POSIX' }, true],
  ];
  for (const [flag, variables, want] of cases) assert.equal(useAscii(flag, variables), want, JSON.stringify(variables));
});

test('the width is the terminal’s, and fixed elsewhere', () => {
  assert.equal(outputWidth({ isTTY: true, columns: 90 }), 90);
  assert.equal(outputWidth({ isTTY: true, columns: 20 }), 60);
  assert.equal(outputWidth({ isTTY: true }), 120);
  assert.equal(outputWidth({ isTTY: false, columns: 90 }), 120);
});
