// Values of Secrets, in everything that a daemon says: its log at every level and in both forms, metrics, traces and Events. Hooks
// print them, fail with them and put them where they are refused; on both servers.

import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { LogEncoder } from '../../daemon/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { daemonBed } from '../../testing/daemon-bed.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget } from '../../testing/targets.ts';
import { traceCollector } from '../../testing/trace-collector.ts';
import { until } from '../../testing/until.ts';

const CANARY = 'canary-9f8e7d6c5b4a';
const EVENTS = { ...CONFIG_MAPS, kind: 'Event', resource: 'events' };
const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };

/** By spec.do of the parent: a Secret of one's own; an error that quotes one; a child that is refused with its words. */
const SYNC = `
  const [source] = Object.values(request.related['Secret.v1'] ?? {});
  const password = Buffer.from(source?.data?.password ?? '', 'base64').toString();
  console.log('the password is ' + password);
  const labels = { app: 'thing' };
  if (request.parent.spec.do === 'fail') throw new Error('can not log in with ' + password);
  const child = request.parent.spec.do === 'refused'
    ? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'refused', labels }, data: { ['not a key: ' + password]: 'x' } }
    : { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'made', labels }, stringData: { password } };
  return { status: { done: request.parent.spec.do }, children: [child] };
`;
const CUSTOMIZE = `return { relatedResources: [{ apiVersion: 'v1', resource: 'secrets', names: ['source'] }] };`;

forEachTarget('secrecy of a daemon', (target) => {
  for (const encoder of ['json', 'console'] as const satisfies readonly LogEncoder[])
    test(`no value of a Secret in its ${encoder} log, metrics, traces and Events`, async (t: TestContext) => {
      const collector = await traceCollector(t);
      const options = { hook: SYNC, moreHooks: { customize: CUSTOMIZE }, childResources: ['configmaps', 'secrets'] };
      const bed = await daemonBed(target, 'secrecy', options);
      after(() => bed.close());
      await bed.crd();
      const { namespace } = bed;
      const metadata = { name: 'source', namespace };
      await bed.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { password: CANARY } });
      const lines: string[] = [];
      const log = { level: 'debug', encoder, write: (line: string) => void lines.push(line) } as const;
      const daemon = bed.start({ log }, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
      for (const what of ['make', 'fail', 'refused']) await bed.thing(what, { do: what });
      const events = async (): Promise<string> => JSON.stringify((await bed.client.list(EVENTS, { namespace })).items);
      await until('the Secret is made', async () => bed.client.get(SECRETS, 'made', namespace));
      await until('the failure is told', async () => (await events()).includes('can not log in with'));
      await until('the refusal is told', async () => (await events()).includes('ChildOperationFailed'));
      const { metrics } = await daemon.addresses;
      const scraped = await (await fetch(`http://${metrics}/metrics`)).text();
      await daemon.stop();
      const logged = lines.join('');
      for (const said of ['the password is (Secret value)', 'can not log in with (Secret value)'])
        assert.ok(logged.includes(said), `${said}\n${logged}`);
      const all: JsonObject = { log: logged, metrics: scraped, traces: collector.text(), events: await events() };
      for (const [where, text] of Object.entries(all))
        for (const form of [CANARY, Buffer.from(CANARY).toString('base64'), encodeURIComponent(CANARY)])
          assert.ok(!String(text).includes(form), `${form} in the ${where}`);
    });
});
