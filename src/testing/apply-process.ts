// `node apply-process.ts KUBECONFIG DIRECTORY`: apply in a process of its own, for tests that kill it. Prints how it ended.

import { createNodeFiles, runApply, systemClock } from '../app/index.ts';

const [kubeconfig, directory] = process.argv.slice(2) as [string, string];

const outcome = await runApply(
  {
    cluster: { kubeconfig },
    paths: [directory],
    concurrency: 8,
    confirm: async () => 'yes',
    timeoutMs: 60_000,
    wait: true,
    allowLocalHooks: true,
  },
  {
    variables: process.env,
    clock: systemClock,
    files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
    signal: new AbortController().signal,
  },
);
process.stdout.write(JSON.stringify({ status: outcome.status, diagnostics: outcome.diagnostics }));
