// A Secret that is copied to namespaces with a label, on both servers; its value is in no output.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanOutcome } from '../../src/app/index.ts';
import { planToJson, renderPlanText } from '../../src/render/index.ts';
import { type ExampleProject, exampleProject, missingProgram } from '../../src/testing/example-project.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../src/testing/objects.ts';
import { forEachTarget } from '../../src/testing/targets.ts';

const FILE = 'registry.yaml';
const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const encode = (text: string): string => Buffer.from(text).toString('base64');
const FIRST = 'not-a-real-password';
const SECOND = 'another-password-that-is-none';

function assertHidden(...texts: string[]): void {
  for (const text of texts)
    for (const value of [FIRST, SECOND, encode(FIRST), encode(SECOND)])
      assert.ok(!text.includes(value), `a value is shown: ${text}`);
}

function shown({ plan }: PlanOutcome): string[] {
  assert.ok(plan);
  return [renderPlanText(plan, { color: false, ascii: true, width: 200 }), JSON.stringify(planToJson(plan))];
}

/** "a b" */
async function places(project: ExampleProject): Promise<string> {
  const found = await Promise.all(
    ['a', 'b'].map(async (place) =>
      (await project.client.get(SECRETS, 'registry', `${project.namespace}-${place}`)) ? [place] : [],
    ),
  );
  return found.flat().join(' ');
}

function label(project: ExampleProject, place: string, value: string | null): Promise<unknown> {
  return project.client.write({
    verb: 'patch',
    type: NAMESPACES,
    fieldManager: 'someone',
    name: `${project.namespace}-${place}`,
    contentType: 'application/merge-patch+json',
    patch: { metadata: { labels: { 'pulls-images': value } } },
  });
}

forEachTarget('secret-propagation', (target) => {
  test('namespaces with the label have the Secret, and no value is shown', {
    skip: missingProgram('python3'),
  }, async () => {
    const source = { name: 'secret-propagation', group: 'examples.metacontroller.io' };
    const project = await exampleProject(target, { ...source, everywhere: true });
    await project.replace(FILE, 'team-', `${project.namespace}-`);
    await project.replace(FILE, 'sourceNamespace: default', `sourceNamespace: ${project.namespace}`);
    // The real server is everybody's: a label of its own.
    await project.replace(FILE, 'pulls-images: private', `pulls-images: ${project.namespace}`);

    assertHidden(...shown(await project.plan()));
    await project.settle();
    assert.equal(await places(project), 'a');

    await label(project, 'b', project.namespace);
    const plan = await project.plan();
    assertHidden(...shown(plan));
    assert.deepEqual(await project.settle(), ['POST secrets registry'], 'a namespace that gets the label');
    assert.equal(await places(project), 'a b');

    await project.replace(FILE, encode(FIRST), encode(SECOND));
    assertHidden(...shown(await project.plan()));
    assert.deepEqual(await project.settle(), ['PUT secrets registry', 'PUT secrets registry']);
    for (const place of ['a', 'b']) {
      const copy = await project.client.get(SECRETS, 'registry', `${project.namespace}-${place}`);
      assert.deepEqual(copy?.['data'], { password: encode(SECOND) });
    }
    assert.deepEqual(await project.planned(), []);

    await label(project, 'b', null);
    assert.deepEqual(await project.settle(), ['DELETE secrets registry']);
    assert.equal(await places(project), 'a');
  });
});
