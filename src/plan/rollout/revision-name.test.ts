import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN } from '../../kit/unknown.ts';
import { revisionName } from './revision-name.ts';

const parentType = { group: 'ctl.enisoc.com', resource: 'catsets' };
const patch = { spec: { n: [1, 2], image: 'a < b & c' } };
const given = { parentType, parentUid: 'uid-1', patch };
const NONE = new Set<string>();

test('plural, group, and the hash of the UID and the patch as Go writes it', () => {
  // printf '%s' 'uid-1{"spec":{"image":"a \u003c b \u0026 c","n":[1,2]}}' | sha1sum
  assert.equal(revisionName(given, NONE), 'catsets.ctl.enisoc.com-facc7eb327bd44f4de9393b1c6cdb5c7eca979a2');
});

test('the core group has no name, so it is called core', () => {
  const core = { ...given, parentType: { group: '', resource: 'namespaces' } };
  assert.match(revisionName(core, NONE), /^namespaces\.core-[0-9a-f]{40}$/);
});

test('a long one is cut where the hash still fits', () => {
  const long = { ...given, parentType: { group: `${'g'.repeat(230)}.io`, resource: 'things' } };
  assert.equal(revisionName(long, NONE).length, 253);
});

test('one that is taken by another patch is not taken again', () => {
  const first = revisionName(given, NONE);
  const second = revisionName(given, new Set([first]));
  assert.notEqual(second, first);
  assert.match(second, /^catsets\.ctl\.enisoc\.com-[0-9a-f]{40}$/);
  assert.equal(revisionName(given, new Set([first])), second);
});

test('that of a parent whose UID is not known yet is not known either', () => {
  assert.equal(revisionName({ ...given, parentUid: UNKNOWN }, NONE), `catsets.ctl.enisoc.com-${UNKNOWN}`);
});
