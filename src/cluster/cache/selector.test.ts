import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSelector } from './selector.ts';

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'a' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels } };
  const selectors: [string, boolean | undefined][] = [
    ['', true],
    ['app=web', true],
    ['app==web,tier!=b', true],
    ['app in (x, web)', true],
    ['tier notin (a,b)', false],
    ['missing notin (a)', true],
    ['missing!=x', true],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['toString', false],
    ['app>3', undefined],
    ['app in web', undefined],
  ];
  for (const [text, want] of selectors) {
    it(`selector ${JSON.stringify(text)}`, () => {
      assert.equal(parseSelector(text)?.(object), want);
    });
  }
});
