// The trace of a round, as a collector gets it: the round, its hook calls and its requests below it; the webhook is told;
// and no value of a Secret and nothing of a body is in it.

import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { type DaemonBed, daemonBed } from '../../testing/daemon-bed.ts';
import { serveHook } from '../../testing/hook-server.ts';
import { CONFIG_MAPS } from '../../testing/objects.ts';
import { forEachTarget, type TestTarget } from '../../testing/targets.ts';
import { type CollectedSpan, traceCollector } from '../../testing/trace-collector.ts';
import { until } from '../../testing/until.ts';

const SECRETS = { ...CONFIG_MAPS, kind: 'Secret', resource: 'secrets' };
const CANARY = 'canary-0123456789';
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'made', labels: { app: 'thing' } },
  stringData: { password: CANARY },
};

interface Traced {
  readonly child: 'secrets' | 'configmaps';
  /** Of the hook. */
  readonly url: string;
}

async function bedFor(target: TestTarget, { child, url }: Traced): Promise<DaemonBed> {
  const bed = await daemonBed(target, 'traces');
  after(() => bed.close());
  await bed.crd();
  await bed.project.write('controller.json', {
    ...{ apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', metadata: { name: 'things' } },
    spec: {
      parentResource: { apiVersion: `${bed.group}/v1`, resource: 'things' },
      childResources: [{ apiVersion: 'v1', resource: child }],
      hooks: { sync: { webhook: { url } } },
    },
  });
  return bed;
}

forEachTarget('traces', (target) => {
  test('a round, its hook and its requests are one trace', async (t: TestContext) => {
    const collector = await traceCollector(t);
    const hook = await serveHook(t, () => ({ body: JSON.stringify({ status: { seen: 1 }, children: [SECRET] }) }));
    const bed = await bedFor(target, { child: 'secrets', url: `${hook.url}?token=${CANARY}` });
    await bed.thing('one', { password: CANARY });
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'tested' };
    const daemon = bed.start({}, variables);
    await until('the child is there', async () => bed.client.get(SECRETS, 'made', bed.namespace));
    await daemon.stop();

    const spans = collector.spans();
    const create = spans.find(({ name }) => name === 'create secrets');
    assert.ok(create, spans.map(({ name }) => name).join());
    const above = (span: CollectedSpan) => spans.find(({ spanId }) => spanId === span.parentSpanId);
    const round = above(create);
    assert.equal(round?.name, 'sync CompositeController/things');
    assert.equal(round.parentSpanId, undefined);
    assert.equal(round.attributes['metactl.parent.name'], 'one');
    assert.equal(round.attributes['k8s.namespace.name'], bed.namespace);
    assert.ok(round.attributes['metactl.outcome']);
    assert.equal(create.attributes['http.response.status_code'], 201);
    const call = spans.find((span) => span.name === 'hook sync' && span.parentSpanId === round.spanId);
    assert.equal(call?.attributes['url.full'], hook.url);
    const sent = hook.seen.map(({ headers }) => headers['traceparent']);
    assert.ok(sent.includes(`00-${round.traceId}-${call?.spanId}-01`), sent.join());
    assert.ok(spans.every(({ name }) => !name.startsWith('watch') && !name.startsWith('list')));
    assert.equal(collector.resource()['service.name'], 'tested');
    assert.ok(!collector.text().includes(CANARY));
    assert.ok(!collector.text().includes(Buffer.from(CANARY).toString('base64')));
  });

  test('a hook that fails, and a collector that is away: the daemon works on', async (t: TestContext) => {
    const collector = await traceCollector(t);
    const hook = await serveHook(t, () => ({ status: 500, body: CANARY }));
    const bed = await bedFor(target, { child: 'configmaps', url: hook.url });
    await bed.thing('one', {});
    const daemon = bed.start({ log: SILENT }, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    await until('the hook is asked', () => hook.seen.length > 0);
    await daemon.stop();
    const failed = collector.spans().filter((span) => span.failed);
    const call = failed.find(({ name }) => name === 'hook sync');
    assert.deepEqual(
      [call?.attributes['http.response.status_code'], call?.attributes['error.type']],
      [500, 'hook-failed'],
    );
    assert.ok(failed.some(({ name }) => name === 'sync CompositeController/things'));
    assert.ok(!collector.text().includes(CANARY));

    const lines: string[] = [];
    const log = { level: 'info', encoder: 'json', write: (line: string) => void lines.push(line) } as const;
    const nobody = bed.start({ log }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    const before = hook.seen.length;
    await until('the hook is asked all the same', () => hook.seen.length > before);
    assert.equal((await nobody.stop()).status, 'stopped');
    assert.ok(lines.some((line) => line.includes('"msg":"Traces are sent"')));
  });
});

const SILENT = { level: 'error', encoder: 'json', write: () => undefined } as const;
