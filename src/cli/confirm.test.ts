import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStreams } from '../testing/memory-streams.ts';
import { buildChangeOf, buildPlan } from '../testing/plan-builder.ts';
import { confirmPlan } from './confirm.ts';

const creates = buildPlan({ inputs: [buildChangeOf('create', 'Pod default/a')] });
const deletes = buildPlan({
  inputs: [
    buildChangeOf('delete', 'Namespace prod'),
    buildChangeOf('delete', 'Pod default/a'),
    buildChangeOf('recreate', 'StatefulSet default/db'),
  ],
});
const argv = ['-f', 'my files/*.yaml', '--timeout', '5m', '--no-wait', '--context', 'prod'];

test('only "yes" means yes', async () => {
  for (const [answer, want] of [
    ['yes', 'yes'],
    [' yes ', 'yes'],
    ['y', 'no'],
    ['', 'no'],
    ['no', 'no'],
    [undefined, 'no'],
  ] as const) {
    const streams = memoryStreams({ terminal: true, answers: answer === undefined ? [] : [answer] });
    assert.equal(
      await confirmPlan(creates, { yes: false, streams, variables: {}, argv, command: 'apply' }),
      want,
      `answer: ${answer}`,
    );
    assert.deepEqual(streams.asked, ['Only "yes" applies this plan: ']);
  }
});

test('--yes asks nothing, with or without a terminal', async () => {
  for (const terminal of [true, false]) {
    const streams = memoryStreams({ terminal });
    assert.equal(
      await confirmPlan(deletes, { yes: true, streams, variables: { CI: 'true' }, argv, command: 'apply' }),
      'yes',
    );
    assert.deepEqual([streams.asked, streams.written.stderr], [[], '']);
  }
});

test('what takes more with it is deleted only by its name', async () => {
  const ask = async (...answers: string[]): Promise<[string, number]> => {
    const streams = memoryStreams({ terminal: true, answers });
    return [
      await confirmPlan(deletes, { yes: false, streams, variables: {}, argv, command: 'apply' }),
      streams.asked.length,
    ];
  };
  assert.deepEqual(await ask('prod', 'db', 'yes'), ['yes', 3]);
  assert.deepEqual(await ask('yes'), ['no', 1], 'not the name');
  assert.deepEqual(await ask('prod', 'web'), ['no', 2]);
  assert.deepEqual(await ask('prod', 'db', 'y'), ['no', 3]);
});

test('where nobody can answer, the two commands that work are printed', async () => {
  for (const { terminal, variables } of [
    { terminal: false, variables: {} },
    { terminal: true, variables: { CI: 'true' } },
  ]) {
    const streams = memoryStreams({ terminal, answers: ['yes'] });
    assert.equal(await confirmPlan(creates, { yes: false, streams, variables, argv, command: 'apply' }), 'impossible');
    assert.deepEqual(streams.asked, []);
    assert.match(streams.written.stderr, /^ {2}metactl plan -f 'my files\/\*\.yaml' --context prod$/m);
    assert.match(streams.written.stderr, /^ {2}metactl apply -f .* --timeout 5m --no-wait --context prod --yes$/m);
  }
});
