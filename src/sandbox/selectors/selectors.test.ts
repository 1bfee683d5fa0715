import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../model/object.ts';
import { StatusError } from '../http/status-error.ts';
import { Registry } from '../registry/registry.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { parseFieldSelector } from './field.ts';
import { parseLabelSelector } from './label.ts';

const OBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {},
  one: { i: '1' },
  two: { i: '2', app: 'x' },
  empty: { i: '', app: 'x' },
};

const matching: readonly (readonly [selector: string, want: readonly string[]])[] = [
  ['', ['none', 'one', 'two', 'empty']],
  ['i=1', ['one']],
  ['i==1', ['one']],
  ['i=', ['empty']],
  ['i!=1', ['none', 'two', 'empty']],
  ['i', ['one', 'two', 'empty']],
  ['!i', ['none']],
  ['i in (1,2)', ['one', 'two']],
  ['i notin (1,2)', ['none', 'empty']],
  ['i in (1), i != 2', ['one']],
  ['i>1', ['two']],
  ['i<2', ['one']],
  ['i in ()', ['empty']],
  ['app=x,i', ['two', 'empty']],
];

for (const [selector, want] of matching) {
  test(`label selector "${selector}"`, () => {
    const matches = parseLabelSelector(selector) ?? (() => true);
    assert.deepEqual(
      Object.keys(OBJECTS).filter((name) => matches(OBJECTS[name] ?? {})),
      want,
    );
  });
}

const refused: readonly (readonly [selector: string, message: string])[] = [
  ['i in 1', "unable to parse requirement: found '1' expected: '('"],
  ['=a', "found '=', expected: !, identifier, or 'end of string'"],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['bad key!=1', "unable to parse requirement: found 'key', expected: in, notin, =, ==, !=, gt, lt"],
  ['a,', "found '', expected: identifier after ','"],
  [
    'i>x',
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
];

for (const [selector, message] of refused) {
  test(`label selector "${selector}" is refused as the server refuses it`, () => {
    assert.throws(() => parseLabelSelector(selector), { name: 'StatusError', code: 400, message });
  });
}

const registry = new Registry();
const kind = (id: string): ResourceKind => registry.byId(id) as ResourceKind;
const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'n' },
  spec: { nodeName: 'x' },
  status: { phase: 'Running' },
};

const fields: readonly (readonly [selector: string, want: boolean, name: string | undefined])[] = [
  ['metadata.name=a', true, 'a'],
  ['metadata.name!=a', false, undefined],
  ['metadata.name==b', false, 'b'],
  ['metadata.namespace=n,spec.nodeName=x', true, undefined],
  ['status.phase!=Running', false, undefined],
  ['spec.hostNetwork=false', true, undefined],
  ['metadata.name=a\\,b', false, 'a,b'],
];

for (const [selector, want, name] of fields) {
  test(`field selector "${selector}"`, () => {
    const parsed = parseFieldSelector(kind('pods'), selector);
    assert.equal(parsed?.matches(pod), want);
    assert.equal(parsed?.name, name, 'one name is one lookup');
  });
}

test('fields that a kind does not have', () => {
  const refuse = (id: string, selector: string): StatusError => {
    try {
      parseFieldSelector(kind(id), selector);
    } catch (error) {
      if (error instanceof StatusError) return error;
      throw error;
    }
    throw new Error('not refused');
  };
  assert.equal(refuse('pods', 'spec.foo=1').message, 'field label not supported: spec.foo');
  assert.match(refuse('configmaps', 'foo=1').message, /^"foo" is not a known field selector/);
  assert.match(refuse('configmaps', 'metadata.name').message, /can't understand 'metadata.name'/);
});
