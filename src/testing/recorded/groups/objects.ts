// Small valid objects that the groups start from.

import type { JsonObject } from '../../../kit/json.ts';

export const CONTAINER: JsonObject = { name: 'app', image: 'nginx:1.27' };

/** A change of a pod: its only container is `app` with these fields. */
export const app = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ ...CONTAINER, ...fields }] } });

export const POD: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'pod' },
  spec: { containers: [CONTAINER] },
};

export const TEMPLATE: JsonObject = { metadata: { labels: { app: 'a' } }, spec: { containers: [CONTAINER] } };

/** A change of a workload: its template's pod spec has these fields. */
export const template = (fields: JsonObject): JsonObject => ({ spec: { template: { spec: fields } } });

export function workload(apiVersion: string, kind: string, spec: JsonObject = {}): JsonObject {
  const selector = { matchLabels: { app: 'a' } };
  return { apiVersion, kind, metadata: { name: 'work' }, spec: { selector, template: TEMPLATE, ...spec } };
}

/** A name that is too long for a DNS label (64) or subdomain (254). */
export const LONG_LABEL = 'x'.repeat(64);
export const LONG_NAME = 'x'.repeat(254);
