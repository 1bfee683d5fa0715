// What a daemon's controllers need and lose, on both servers: a right that is missing, a CRD that goes. The others go on.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../kit/json.ts';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { limitedUser } from '../../testing/limited-user.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

async function bedFor(target: TestTarget): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'rights');
  after(() => bed.close());
  return bed;
}

/** A second controller of the same parents, with another kind of children. */
async function addController(bed: DaemonBed, name: string, resource: string): Promise<string> {
  const first = JSON.parse(await readFile(join(bed.project.path, 'controller.json'), 'utf8')) as {
    metadata: JsonObject;
    spec: JsonObject;
  };
  const spec = { ...first.spec, childResources: [{ apiVersion: 'v1', resource }] };
  await bed.project.write(`${name}.json`, { ...first, metadata: { ...first.metadata, name }, spec });
  return join(bed.project.path, `${name}.json`);
}

const WRITE = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

forEachTarget('rights and CRDs of a daemon', (target) => {
  test('who may not list a kind is told which rule is missing; controllers that do not need it go on', async () => {
    const bed = await bedFor(target);
    await bed.crd();
    const other = await addController(bed, 'secretive', 'secrets');
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: WRITE },
      { apiGroups: [bed.group], resources: ['things', 'things/status'], verbs: WRITE },
    ];
    const limits = { name: `daemon-${bed.namespace}`, namespace: bed.namespace, rules, directory: bed.project.path };
    const user = await limitedUser(target, limits);
    after(() => user.close());
    const lines: string[] = [];
    const log = { level: 'info', encoder: 'json', write: (line: string) => lines.push(line) } as const;
    bed.start({ cluster: user.choice, paths: [join(bed.project.path, 'controller.json'), other], log });
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    await until('the missing rule is told', () =>
      lines.some(
        (line) =>
          line.includes('"controller":"CompositeController/secretive"') && line.includes('may not list secrets'),
      ),
    );
    assert.ok(lines.some((line) => /needs the rule .*secrets/.test(line)));
    const told = lines.filter((line) => line.includes('may not list secrets')).length;
    await sleep(2_500);
    assert.equal(
      lines.filter((line) => line.includes('may not list secrets')).length,
      told,
      'once, however often it tries',
    );
  });

  test('who may not watch CRDs looks for them every --discovery-interval, and only he does', async () => {
    const bed = await bedFor(target);
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: WRITE },
      { apiGroups: [bed.group], resources: ['things', 'things/status'], verbs: WRITE },
    ];
    const limits = { name: `looker-${bed.namespace}`, namespace: bed.namespace, rules, directory: bed.project.path };
    const user = await limitedUser(target, limits);
    after(() => user.close());
    const lines: string[] = [];
    const log = { level: 'info', encoder: 'json', write: (line: string) => lines.push(line) } as const;
    const daemon = bed.start({ cluster: user.choice, discoveryMs: 100, log });
    const looks = async (): Promise<number> => {
      const { metrics } = await daemon.addresses;
      const text = await (await fetch(`http://${metrics}/metrics`)).text();
      const [, count = '0'] =
        /metactl_api_requests_total\{verb="get",resource="\/apis",code="200"\} (\d+)/.exec(text) ?? [];
      return Number(count);
    };
    // Without it: after 1, 3, 7, 15, 31 seconds, and not again within the minute.
    await until('it looks again and again', async () => (await looks()) > 15);
    await bed.crd();
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    assert.equal(lines.filter((line) => line.includes('customresourcedefinitions')).length, 1, 'told once');
  });

  test('a CRD that is deleted under a running controller, and comes again', async () => {
    const bed = await bedFor(target);
    await bed.crd();
    const lines: string[] = [];
    const log = { level: 'info', encoder: 'json', write: (line: string) => lines.push(line) } as const;
    const daemon = bed.start({ log });
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    const type = await bed.client.byResource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
    assert.ok(type);
    const name = `things.${bed.group}`;
    await bed.client.write({ verb: 'delete', type, fieldManager: 'test', name });
    await until('the controller stops', () => lines.some((line) => line.includes('"msg":"Stopped controller"')));
    await until('the CRD is gone', async () => (await bed.client.get(type, name)) === undefined);
    bed.client.refresh();
    await bed.crd();
    await bed.thing('two', { names: ['b'] });
    await until('the new parent has its child', async () => (await bed.maps()).includes('b'));
    assert.equal((await daemon.stop()).status, 'stopped');
  });
});
