// Server-side apply as a library: one apply to a Deployment as clusters have them, with what the API server does around the
// merge (entries of managedFields read and written), in this process.

import type { JsonObject } from '../../src/kit/json.ts';
import { type ApplyRequest, applyPatch, type Endpoint, setOfPaths, trackUpdate } from '../../src/merge/index.ts';
import { allSchemas } from '../../src/sandbox/kube-data/index.ts';
import { mergeSchemaFromComponents } from '../../src/schema/index.ts';
import { median } from '../measure.ts';
import { type Section, verdict } from '../report.ts';

const BATCHES = 400;
const BATCH = 20;
const WARM_UP = 3_000;
const MOST_MICROSECONDS = 100;

const schemas = allSchemas();
const schema = mergeSchemaFromComponents((name) => schemas[name]);
const endpoint: Endpoint = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  at: (value, apiVersion) =>
    apiVersion === 'apps/v1'
      ? { schema, type: { named: 'io.k8s.api.apps.v1.Deployment' }, apiVersion, value }
      : undefined,
  reset: new Map([['apps/v1', setOfPaths([['f:status']])]]),
  empty: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} },
};

const probe = { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 5 };
const env = ['LOG_LEVEL', 'REGION', 'DATABASE', 'CACHE', 'FEATURES', 'TIMEOUT'];

const container = (name: string, image: string): JsonObject => ({
  name,
  image,
  args: ['--port=8080', '--verbose'],
  env: env.map((key) => ({ name: key, value: key.toLowerCase() })),
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  livenessProbe: probe,
  readinessProbe: probe,
  volumeMounts: [{ name: 'config', mountPath: '/etc/config' }],
});

/** Two containers, a volume, probes and resources. */
const wanted = (image: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web', tier: 'front' }, annotations: { note: 'a' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web', tier: 'front' } },
      spec: {
        containers: [container('web', image), container('side', 'side:1')],
        volumes: [{ name: 'config', configMap: { name: 'web' } }],
        nodeSelector: { pool: 'front' },
      },
    },
  },
});

const status = {
  replicas: 3,
  readyReplicas: 3,
  observedGeneration: 1,
  conditions: ['Available', 'Progressing'].map((type) => ({
    type,
    status: 'True',
    reason: 'Ok',
    message: 'fine',
    lastUpdateTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })),
};

const time = '2026-01-01T00:00:00Z';

const request = (live: JsonObject | undefined, config: JsonObject): ApplyRequest => ({
  live,
  config,
  manager: 'metactl',
  force: true,
  time,
});

function applied(live: JsonObject | undefined, config: JsonObject): JsonObject {
  const answer = applyPatch(request(live, config), endpoint);
  if (answer.kind !== 'applied') throw new Error(JSON.stringify(answer));
  return answer.object;
}

/** As it is in a cluster: applied by us, status by the controller, an annotation by somebody else. */
function liveDeployment(): JsonObject {
  const first = applied(undefined, wanted('web:1'));
  const metadata = first['metadata'] as JsonObject;
  const annotated = { ...metadata, annotations: { note: 'a', 'deployment.kubernetes.io/revision': '1' } };
  const object = { ...first, metadata: annotated, status };
  return trackUpdate(
    { live: first, object, manager: 'kube-controller-manager', time },
    { ...endpoint, reset: new Map() },
  );
}

interface Timed {
  readonly name: string;
  /** Microseconds: of the thread's own time, and on the wall. */
  readonly cpu: number;
  readonly wall: number;
  /** The batch that others disturbed least, on the wall. */
  readonly quickest: number;
}

/** A batch is timed as a whole: the clock of a thread's own time ticks in microseconds. */
function timed(name: string, run: (round: number) => unknown): Timed {
  for (let round = 0; round < WARM_UP; round++) run(round);
  const batches = Array.from({ length: BATCHES }, (_, batch) => {
    const begin = performance.now();
    const used = process.threadCpuUsage();
    for (let round = 0; round < BATCH; round++) run(batch * BATCH + round);
    const { user, system } = process.threadCpuUsage(used);
    return { cpu: (user + system) / BATCH, wall: ((performance.now() - begin) * 1_000) / BATCH };
  });
  return {
    name,
    cpu: median(batches.map(({ cpu }) => cpu)),
    wall: median(batches.map(({ wall }) => wall)),
    quickest: Math.min(...batches.map(({ wall }) => wall)),
  };
}

export async function serverSideApplyTopic(): Promise<Section> {
  // As a server has it: parsed from what is stored, so that nothing is remembered of an earlier request.
  const live = JSON.stringify(liveDeployment());
  const change = JSON.stringify(wanted('web:2'));
  const same = JSON.stringify(wanted('web:1'));
  const fresh = (text: string): JsonObject => JSON.parse(text) as JsonObject;
  const lives = Array.from({ length: 64 }, () => fresh(live));
  const of = (config: string) => {
    const configs = Array.from({ length: 64 }, () => fresh(config));
    return (round: number) => applied(lives[round % 64], configs[round % 64] as JsonObject);
  };
  const measured = [
    timed('apply that changes the image', of(change)),
    timed('apply that changes nothing', of(same)),
    timed('apply that creates', () => applied(undefined, fresh(same))),
    timed('the same, live object and request parsed from JSON each time', () => applied(fresh(live), fresh(change))),
  ];
  const own = measured[0]?.cpu ?? Number.NaN;
  return {
    title: 'One server-side apply to a Deployment',
    text: `The library alone, in one process: a Deployment of two containers (${(live.length / 1024).toFixed(1)} kB with managedFields, three managers), its checks, merge, pruning, conflicts, and managedFields read and written. Medians of ${BATCHES} batches of ${BATCH}; the thread's own time does not count what other programs of the machine take.`,
    tables: [
      {
        columns: ['request', "thread's own time", 'wall', 'quickest batch'],
        rows: measured.map(({ name, cpu, wall, quickest }) => [name, ...[cpu, wall, quickest].map(microseconds)]),
      },
    ],
    verdicts: [
      verdict(
        `one apply within ${MOST_MICROSECONDS} µs`,
        own <= MOST_MICROSECONDS,
        `${microseconds(own)} of the thread's own time; ${microseconds(measured[0]?.quickest ?? Number.NaN)} where nothing else disturbed`,
      ),
    ],
  };
}

const microseconds = (value: number): string => `${value.toFixed(0)} µs`;
