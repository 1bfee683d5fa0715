import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { loadRuleEngine } from './load-engine.ts';

const { evaluateRules, checkRules } = await loadRuleEngine();

const ruled = (rule: string, value: JsonObject): JsonObject => ({
  type: 'object',
  properties: { v: { ...value, 'x-kubernetes-validations': [{ rule }] } },
});
const STRING = { type: 'string' };
const LIST = { type: 'array', items: STRING };

const rules: readonly (readonly [rule: string, schema: JsonObject, value: JsonValue, holds: boolean])[] = [
  ["quantity(self).add(quantity('500m')).compareTo(quantity('1500m')) == 0", STRING, '1', true],
  ["quantity(self).isGreaterThan(quantity('1G'))", STRING, '1Gi', true],
  ['quantity(self).asInteger() == 2000', STRING, '2k', true],
  ['quantity(self).sign() == -1', STRING, '-1', true],
  ['isQuantity(self)', STRING, '1 Gi', false],
  ['ip(self).isLoopback()', STRING, '127.1.2.3', true],
  ['ip(self).isLinkLocalUnicast()', STRING, 'fe80::1', true],
  ["cidr(self).containsCIDR('10.1.0.0/16') && cidr(self).prefixLength() == 8", STRING, '10.0.0.0/8', true],
  ["url(self).getPort() == '8080' && url(self).getHostname() == '::1'", STRING, 'http://[::1]:8080/x', true],
  ["semver(self).isLessThan(semver('1.0.0'))", STRING, '1.0.0-alpha.1', true],
  ['semver(self, true).major() == 1', STRING, 'v1', true],
  ["self.findAll('[0-9]').size() == 3", STRING, 'a1b2c3', true],
  ["self.replace('a', 'b', 1) == 'baa'", STRING, 'aaa', true],
  ["self.distinct().size() == 2 && self.reverse()[0] == 'a'", LIST, ['a', 'b', 'a'], true],
  ["sets.equivalent(self, ['b', 'a']) && !sets.intersects(self, ['c'])", LIST, ['a', 'b'], true],
  ["format.named('dns1123Label').value().validate(self).hasValue()", STRING, 'A', true],
  ['self.getFullYear() == 2024', { type: 'string', format: 'date' }, '2024-05-01', true],
  ["self > duration('59m')", { type: 'string', format: 'duration' }, '1h', true],
];

for (const [rule, schema, value, holds] of rules) {
  test(`${rule} of ${JSON.stringify(value)}`, () => {
    const { problems, warnings } = evaluateRules(ruled(rule, schema), { after: { v: value } });
    assert.deepEqual(warnings, []);
    assert.equal(problems.length === 0, holds, JSON.stringify(problems));
  });
}

test('a rule that can not be evaluated is told and passes, and is not refused where it is declared', () => {
  for (const [rule, why] of [
    ["self.transformList(i, v, v == 'a').all(x, x)", /does not evaluate the rule .*: it calls transformList\(\)/],
    ['self.all(i, v, i > 0)', /a macro with two variables/],
  ] as const) {
    const schema = ruled(rule, LIST);
    const { problems, warnings } = evaluateRules(schema, { after: { v: ['b'] } });
    assert.deepEqual(problems, []);
    assert.match(warnings[0] ?? '', why);
    const declared = (schema['properties'] as JsonObject)['v'] as JsonObject;
    assert.deepEqual(checkRules(declared, 'x', { isResource: false, uncorrelated: undefined }), []);
  }
});

test('a key called __proto__ is a key of a map and no field of an object', () => {
  const map = { type: 'object', additionalProperties: { type: 'integer' } };
  const value = JSON.parse('{"__proto__":1}') as JsonObject;
  assert.deepEqual(evaluateRules(ruled("self['__proto__'] == 1", map), { after: { v: value } }).problems, []);
  const { problems } = evaluateRules(ruled('self.constructor == 1', { type: 'object', properties: {} }), {
    after: { v: {} },
  });
  assert.match(problems[0]?.message ?? '', /no such key: constructor/);
});
