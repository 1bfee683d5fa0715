import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { DiagnosticError } from '../../model/diagnostic.ts';
import { type Impersonation, impersonationHeaders } from './impersonation.ts';

describe('impersonation: headers', () => {
  const cases: { why: string; entry?: JsonObject; flags?: Impersonation; want: object }[] = [
    { why: 'nobody', want: {} },
    { why: 'empty texts are nobody, as in kubectl', entry: { as: '', 'as-uid': '', 'as-groups': [] }, want: {} },
    { why: 'nulls are nobody', entry: { as: null, 'as-groups': null, 'as-user-extra': null }, want: {} },
    { why: 'a user of the kubeconfig', entry: { as: 'jane' }, want: { 'impersonate-user': 'jane' } },
    {
      why: 'everything, each group and value for itself',
      entry: { as: 'jane', 'as-uid': 'u-1', 'as-groups': ['a', 'b, c'], 'as-user-extra': { reason: ['x', 'y'] } },
      want: {
        'impersonate-user': 'jane',
        'impersonate-uid': 'u-1',
        'impersonate-group': ['a', 'b, c'],
        'impersonate-extra-reason': ['x', 'y'],
      },
    },
    {
      why: 'a flag stands for its field only',
      entry: { as: 'jane', 'as-groups': ['a'], 'as-user-extra': { k: ['old'], l: ['kept'] } },
      flags: { user: 'joe', extra: { k: ['new'] } },
      want: {
        'impersonate-user': 'joe',
        'impersonate-group': ['a'],
        'impersonate-extra-k': ['new'],
        'impersonate-extra-l': ['kept'],
      },
    },
    {
      why: 'groups of flags replace those of the kubeconfig',
      entry: { as: 'jane', 'as-groups': ['a', 'b'] },
      flags: { groups: ['c'] },
      want: { 'impersonate-user': 'jane', 'impersonate-group': ['c'] },
    },
    {
      why: 'keys are lower case, and encoded where a header name could not hold them',
      entry: { as: 'jane', 'as-user-extra': { 'Example.com/Scope %': ['v'] } },
      want: { 'impersonate-user': 'jane', 'impersonate-extra-example.com%2Fscope%20%25': ['v'] },
    },
    {
      why: 'UTF-8, one character a byte',
      entry: { as: 'zoë' },
      want: { 'impersonate-user': Buffer.from('zoë').toString('latin1') },
    },
  ];
  for (const { why, entry = {}, flags = {}, want } of cases) {
    it(why, () => assert.deepEqual(impersonationHeaders(entry, flags, 'user x'), want));
  }
});

describe('impersonation: nothing is left out in silence', () => {
  const cases: { why: string; entry?: JsonObject; flags?: Impersonation; words: RegExp }[] = [
    { why: 'groups without a user', flags: { groups: ['a'] }, words: /but no user/ },
    { why: 'a UID without a user', entry: { 'as-uid': 'x' }, words: /but no user/ },
    { why: 'extra values without a user', entry: { 'as-user-extra': { a: ['b'] } }, words: /but no user/ },
    { why: 'a user that is no text', entry: { as: 5 }, words: /"as" is not a text/ },
    { why: 'groups that are one text', entry: { as: 'j', 'as-groups': 'a,b' }, words: /"as-groups" is not a list/ },
    { why: 'extra values that are one text', entry: { as: 'j', 'as-user-extra': { a: 'b' } }, words: /map of lists/ },
    { why: 'a line break, which would be another header', entry: { as: 'j\r\nx: y' }, words: /line break/ },
  ];
  for (const { why, entry = {}, flags = {}, words } of cases) {
    it(why, () => {
      assert.throws(
        () => impersonationHeaders(entry, flags, 'user x'),
        (error: unknown) => error instanceof DiagnosticError && words.test(error.diagnostics[0]?.summary ?? ''),
      );
    });
  }
});
