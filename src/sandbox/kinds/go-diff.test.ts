import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDiff } from './go-diff.ts';

test('a change is shown with three lines around it', () => {
  const before = { A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: 8 };
  const lines = ['@@ -2,7 +2,7 @@', '  "A": 1,', ' "B": 2,', ' "C": 3,', '-"D": 4,', '+"D": 0,'];
  const text = goDiff(before, { ...before, D: 0 });
  assert.deepEqual(
    text
      .split('\n')
      .slice(0, 6)
      .map((line) => line.replace(/^([-+ ]) /, '$1')),
    lines.map((line) => line.replace(/^([-+ ]) +/, '$1')),
  );
});

test('nothing changed, nothing shown', () => {
  assert.equal(goDiff({ A: 1 }, { A: 1 }), '');
});

test('changes far apart are hunks of their own', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`F${i}`, i]));
  assert.equal(goDiff(many, { ...many, F2: 'x', F27: 'y' }).match(/^@@/gm)?.length, 2);
});
