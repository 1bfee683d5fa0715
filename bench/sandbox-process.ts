// sandbox-process.ts start | serve
// The sandbox in a process of its own. `start` says how long it took from nothing to its first answer, in milliseconds;
// `serve` serves it over HTTP and answers each line on stdin with the memory that it uses.

import { createInterface } from 'node:readline';
import { systemClock } from '../src/app/index.ts';
import { createSandbox, kubeconfigFor, serveSandbox } from '../src/sandbox/index.ts';

const say = (value: object): void => console.log(JSON.stringify(value));

if (process.argv[2] === 'start') {
  // From the start of the process, loading of the program included; and from when everything is loaded.
  const loaded = performance.now();
  const sandbox = createSandbox({ clock: systemClock });
  const response = await sandbox.transport.request({ method: 'GET', path: '/api/v1/namespaces' });
  await response.text();
  const answered = performance.now();
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  say({ create: answered - loaded, serve: performance.now() - loaded, process: performance.now() });
  await served.close();
  await sandbox.close();
} else {
  const sandbox = createSandbox({ clock: systemClock });
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  say({ kubeconfig: kubeconfigFor(served.url) });
  for await (const _line of createInterface({ input: process.stdin })) {
    (globalThis as { gc?: () => void }).gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    say({ rss, heapUsed });
  }
}
