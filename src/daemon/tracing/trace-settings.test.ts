import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceSettings } from './trace-settings.ts';

const AT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

const URLS: readonly (readonly [why: string, variables: Record<string, string>, url: string | undefined])[] = [
  ['nobody asked', {}, undefined],
  ['the endpoint of all signals', AT, 'http://collector:4318/v1/traces'],
  ['with a path', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp/' }, 'https://c/otlp/v1/traces'],
  ['that of traces stands for itself', { ...AT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' }, 'http://t/x'],
  ['empty is as not given', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  ['turned off', { ...AT, OTEL_SDK_DISABLED: 'true' }, undefined],
  ['no traces', { ...AT, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [
    'protobuf is http as well',
    { ...AT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
    'http://collector:4318/v1/traces',
  ],
];
for (const [why, variables, url] of URLS)
  test(why, () => {
    const settings = traceSettings(variables);
    assert.equal(typeof settings === 'object' ? settings.url : settings, url);
  });

const WRONG: readonly (readonly [variables: Record<string, string>, why: RegExp])[] = [
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /only http is spoken/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /no http or https url/],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /only otlp is known/],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /sampler "sometimes" is not known/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /no number from 0 to 1/],
];
for (const [variables, why] of WRONG)
  test(`wrong: ${JSON.stringify(variables)}`, () => assert.match(String(traceSettings({ ...AT, ...variables })), why));

test('name, attributes and sampler', () => {
  const settings = traceSettings({
    ...AT,
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=here,deployment.environment=a%20b, broken',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  assert.deepEqual(settings, {
    url: 'http://collector:4318/v1/traces',
    serviceName: 'here',
    attributes: { 'deployment.environment': 'a b' },
    sampler: 'traceidratio',
    ratio: 0.25,
  });
});
