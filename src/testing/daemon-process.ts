// `node daemon-process.ts KUBECONFIG DEFINITION NAMESPACE`: a daemon in a process of its own, for tests that kill it.

import { createNodeFiles, runDaemon, systemClock } from '../app/index.ts';

const [kubeconfig, definition, namespace] = process.argv.slice(2) as [string, string, string];

await runDaemon(
  {
    ...{ cluster: { kubeconfig }, paths: [definition], namespace, concurrency: 4, workers: 5, allowLocalHooks: true },
    ...{ controllerSelector: '', log: { level: 'error', encoder: 'json' }, flushMs: 0, drainMs: 10_000 },
    events: { burst: 25, perSecond: 1 / 300 },
  },
  {
    variables: process.env,
    clock: systemClock,
    files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
    signal: new AbortController().signal,
  },
);
