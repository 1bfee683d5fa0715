import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LAST_APPLIED_ANNOTATION, withLastApplied } from '../../merge/index.ts';
import type { StatusConditionCheck, UpdateMethod } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import { CONFIG_MAPS, configMap, PODS, WIDGETS, widget, widgetController } from '../../testing/objects.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import { DynamicMode } from '../apply-mode/dynamic.ts';
import { RollingKinds } from './rolling-kinds.ts';
import { type ConsultedRevision, planRollout } from './rollout.ts';

/** One revision: "a b | a b c" lists a and b, wants a, b and c. Its place in the list is the version of what it wants. */
type Sketch = string;

interface Case {
  readonly why: string;
  /** The latest first. */
  readonly revisions: readonly [Sketch, ...Sketch[]];
  /** name → place of the revision whose version it is; -1: of none. */
  readonly observed?: Readonly<Record<string, number>>;
  /** Not Ready, though a check asks for it. */
  readonly sick?: string;
  readonly method?: UpdateMethod;
  /** "name@place", "*" behind it: moves now, "!" held. */
  readonly children: string;
  /** What each revision lists then. */
  readonly listed: readonly string[];
  readonly condition: string;
}

const DONE = 'OnLatestRevision latest ControllerRevision: rev';
const moves = (name: string): string => `RolloutProgressing updating ConfigMap ${name}`;
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
const child = (name: string, version: number): DesiredChild => ({
  type: CONFIG_MAPS,
  object: configMap(name, { version: String(version) }),
});

function consulted(sketch: Sketch, version: number): ConsultedRevision {
  const [listed = '', desired = ''] = sketch.split('|');
  return {
    listed: words(listed).map((name) => `ConfigMap./${name}`),
    desired: words(desired).map((name) => child(name, version)),
    hookCall: `call-${version}`,
  };
}

function stored(name: string, version: number, ready: boolean): KubeObject {
  const object = withLastApplied(child(name, version).object, LAST_APPLIED_ANNOTATION);
  return { ...object, status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } };
}

function rollout({ revisions, observed = {}, sick, method = 'RollingInPlace' }: Case) {
  const checks: StatusConditionCheck[] = [{ type: 'Ready', status: 'True' }];
  const definition = widgetController({ method });
  const [rule] = definition.children;
  const children = rule ? [{ ...rule, statusChecks: checks }] : [];
  const view = {
    parent: widget(),
    parentType: WIDGETS,
    parentLive: true,
    children: [{ type: CONFIG_MAPS, objects: [] }],
  };
  const objects = Object.entries(observed).map(([name, version]) => stored(name, version, name !== sick));
  const [latest, ...older] = revisions.map(consulted);
  assert.ok(latest);
  return planRollout({
    parent: widget(),
    revisions: [latest, ...older],
    latestName: 'rev',
    groups: [{ type: CONFIG_MAPS, objects }],
    kinds: new RollingKinds({ ...definition, children }, view),
    mode: new DynamicMode({ managers: [], types: [], answers: new Map() }),
  });
}

const CASES: readonly Case[] = [
  {
    why: 'the first of all: every child starts at the latest',
    revisions: ['| a b'],
    children: 'a@0 b@0',
    listed: ['a b'],
    condition: DONE,
  },
  {
    why: 'the parent changed: the first in the order of the answer moves',
    revisions: ['| b a', 'a b | a b'],
    observed: { a: 1, b: 1 },
    children: 'b@0* a@1',
    listed: ['b', 'a'],
    condition: moves('b'),
  },
  {
    why: 'the next one when that one is as wanted',
    revisions: ['b | b a c', 'a c | a b c'],
    observed: { a: 1, b: 0, c: 1 },
    children: 'b@0 a@0* c@1',
    listed: ['b a', 'c'],
    condition: moves('a'),
  },
  {
    why: 'not while it is not as wanted',
    revisions: ['b | b a', 'a | a b'],
    observed: { a: 1, b: 1 },
    children: 'b@0 a@1',
    listed: ['b', 'a'],
    condition: 'RolloutWaiting child ConfigMap b is not updated yet',
  },
  {
    why: 'not while it is gone: recreated children are',
    revisions: ['b | b a', 'a | a b'],
    observed: { a: 1 },
    method: 'RollingRecreate',
    children: 'b@0 a@1',
    listed: ['b', 'a'],
    condition: 'RolloutWaiting missing child ConfigMap b',
  },
  {
    why: 'not while a check fails, also of one that was moved long ago',
    revisions: ['a b | a b c', 'c | a b c'],
    observed: { a: 0, b: 0, c: 1 },
    sick: 'a',
    children: 'a@0 b@0 c@1',
    listed: ['a b', 'c'],
    condition: 'RolloutWaiting child ConfigMap a fails a status check: condition Ready has status "False", not "True"',
  },
  {
    why: 'a sick child at an older revision holds up nothing',
    revisions: ['| a b', 'a b | a b'],
    observed: { a: 1, b: 1 },
    sick: 'b',
    children: 'a@0* b@1',
    listed: ['a', 'b'],
    condition: moves('a'),
  },
  {
    why: 'the last one: the older revision is empty',
    revisions: ['a b | a b', '| a b'],
    observed: { a: 0, b: 0 },
    children: 'a@0 b@0',
    listed: ['a b', ''],
    condition: DONE,
  },
  {
    why: 'children that the change does not touch need no turn of their own',
    revisions: ['| a b c', 'a b c | a b c'],
    observed: { a: 0, b: 1, c: 0 },
    children: 'a@0 b@0* c@0',
    listed: ['a b c', ''],
    condition: moves('b'),
  },
  {
    why: 'a child that was deleted comes back at its revision',
    revisions: ['a | a b c', 'b c | a b c'],
    observed: { a: 0, c: 1 },
    sick: 'a',
    children: 'a@0 b@1 c@1',
    listed: ['a', 'b c'],
    condition: 'RolloutWaiting child ConfigMap a fails a status check: condition Ready has status "False", not "True"',
  },
  {
    why: 'a new one starts at the latest, and is waited for',
    revisions: ['a | a b new', 'b | a b'],
    observed: { a: 0, b: 1 },
    children: 'a@0 b@1 new@0',
    listed: ['a new', 'b'],
    condition: 'RolloutWaiting missing child ConfigMap new',
  },
  {
    why: 'what the latest no longer wants is forgotten at once',
    revisions: ['a | a', 'b | a b'],
    observed: { a: 0, b: 1 },
    children: 'a@0',
    listed: ['a', ''],
    condition: DONE,
  },
  {
    why: 'changed again in the middle: on to the newest, whatever revision a child is at',
    revisions: ['| a b c', 'a | a b c', 'b c | a b c'],
    observed: { a: 1, b: 2, c: 2 },
    children: 'a@0* b@2 c@2',
    listed: ['a', '', 'b c'],
    condition: moves('a'),
  },
  {
    why: 'rolled back in the middle: those that never moved are where they should be',
    revisions: ['b c | a b c', 'a | a b c'],
    observed: { a: 1, b: 0, c: 0 },
    children: 'a@0* b@0 c@0',
    listed: ['a b c', ''],
    condition: moves('a'),
  },
  {
    why: 'listed twice after a crash: the latest wins',
    revisions: ['a | a b', 'a b | a b'],
    observed: { a: 1, b: 1 },
    children: 'a@0 b@1',
    listed: ['a', 'b'],
    condition: 'RolloutWaiting child ConfigMap a is not updated yet',
  },
  {
    why: 'listed twice by older ones: it belongs where it is, so it is not moved back and forth',
    revisions: ['a | a b', 'b | a b', 'b | a b'],
    observed: { a: 0, b: 2 },
    sick: 'a',
    children: 'a@0 b@2',
    listed: ['a', '', 'b'],
    condition: 'RolloutWaiting child ConfigMap a fails a status check: condition Ready has status "False", not "True"',
  },
  {
    why: 'listed by nobody after a crash: it goes to the latest, and the others wait for it',
    revisions: ['| a b', 'b | a b'],
    observed: { a: 1, b: 1 },
    children: 'a@0 b@1',
    listed: ['a', 'b'],
    condition: 'RolloutWaiting child ConfigMap a is not updated yet',
  },
  {
    why: 'its move to an older revision was cut off: it is next, so that no two change at once and it not twice',
    revisions: ['| a b c', 'c | a b c', 'a b | a b c'],
    observed: { a: 2, b: 2, c: 2 },
    children: 'a@2 b@2 c@0*',
    listed: ['c', '', 'a b'],
    condition: moves('c'),
  },
  {
    why: 'one that its revision no longer wants stays as it is until its turn',
    revisions: ['a | a b', 'b | a'],
    observed: { a: 0, b: -1 },
    sick: 'a',
    children: 'a@0 b@0!',
    listed: ['a', 'b'],
    condition: 'RolloutWaiting child ConfigMap a fails a status check: condition Ready has status "False", not "True"',
  },
  {
    why: 'one that its revision no longer wants and that is gone comes as the latest wants it',
    revisions: ['a | a b', 'b | a'],
    observed: { a: 0 },
    children: 'a@0 b@0',
    listed: ['a b', ''],
    condition: DONE,
  },
  {
    why: 'no children at all',
    revisions: ['|', 'a | a'],
    observed: { a: 1 },
    children: '',
    listed: ['', ''],
    condition: DONE,
  },
];

describe('one step of a rollout', () => {
  for (const one of CASES)
    test(one.why, () => {
      const { children, listed, condition } = rollout(one);
      const shown = children.map(({ object, moved, held }) => {
        const { version } = object['data'] as { version: string };
        return `${object.metadata.name}@${version}${moved ? '*' : ''}${held ? '!' : ''}`;
      });
      assert.equal(shown.join(' '), one.children);
      const names = listed.map((keys) => keys.map((key) => key.slice('ConfigMap./'.length)).join(' '));
      assert.deepEqual(names, one.listed);
      assert.equal(`${condition.reason} ${condition.message}`, one.condition);
      assert.equal(condition.status, condition.reason === 'OnLatestRevision' ? 'True' : 'False');
    });

  test('kinds that are not rolling are at the latest, and in no revision', () => {
    const pod: DesiredChild = { type: PODS, object: { ...configMap('p'), kind: 'Pod' } };
    const definition = widgetController({ method: 'RollingInPlace' });
    const view = {
      parent: widget(),
      parentType: WIDGETS,
      parentLive: true,
      children: [{ type: CONFIG_MAPS, objects: [] }],
    };
    const { children, listed } = planRollout({
      parent: widget(),
      revisions: [
        { listed: [], desired: [pod], hookCall: 'new' },
        { listed: ['ConfigMap./a'], desired: [pod, child('a', 1)], hookCall: 'old' },
      ],
      latestName: 'rev',
      groups: [{ type: CONFIG_MAPS, objects: [stored('a', 1, true)] }],
      kinds: new RollingKinds(definition, view),
      mode: new DynamicMode({ managers: [], types: [], answers: new Map() }),
    });
    assert.deepEqual(children, [{ ...pod, hookCall: 'new' }]);
    assert.deepEqual(listed, [[], []]);
  });

  test('what waits names the child and why', () => {
    const { waitingOn } = rollout({
      why: '',
      revisions: ['a | a b', 'b | a b'],
      observed: { a: 0, b: 1 },
      sick: 'a',
      children: '',
      listed: [],
      condition: '',
    });
    assert.deepEqual(
      waitingOn.map(({ ref, reason }) => `${ref.name}: ${reason}`),
      ['a: it holds up the rollout: it fails a status check: condition Ready has status "False", not "True"'],
    );
  });
});
