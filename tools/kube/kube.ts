// node tools/kube/kube.ts build            builds the programs into the cache (nothing to do when they are there)
// node tools/kube/kube.ts start [DIR]      starts a control plane in DIR, or says that it runs; prints how to use it
// node tools/kube/kube.ts stop  [DIR]      stops it and removes DIR
// DIR defaults to metactl-kube-by-hand in the directory for temporary files. `npm test` does not use it: it starts its own.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildBinaries, findBinaries } from './binaries.ts';
import { startControlPlane } from './control-plane.ts';
import { isRunning, killProcesses } from './processes.ts';

async function start(directory: string): Promise<void> {
  const usage = join(directory, 'environment');
  if (!isRunning(directory, 'kube-apiserver')) {
    stop(directory);
    const binaries = findBinaries(process.env);
    if ('missing' in binaries) throw new Error(binaries.missing);
    const { kubeconfig, kubectl, features } = await startControlPlane(binaries, directory);
    const variables = {
      KUBECONFIG: kubeconfig,
      METACTL_REAL_KUBECONFIG: kubeconfig,
      METACTL_REAL_KUBECTL: kubectl,
      METACTL_REAL_FEATURES: features.join(','),
    };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}\n`);
    writeFileSync(usage, lines.join(''));
  }
  process.stdout.write(readFileSync(usage, 'utf8'));
}

function stop(directory: string): void {
  killProcesses(directory);
  // Only a directory that start() made is removed: the argument could be anything.
  if (existsSync(join(directory, 'tokens.csv'))) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

const [verb, argument] = process.argv.slice(2);
const directory = resolve(argument ?? join(tmpdir(), 'metactl-kube-by-hand'));
try {
  if (verb === 'build') console.log(buildBinaries(process.env));
  else if (verb === 'start') await start(directory);
  else if (verb === 'stop') stop(directory);
  else throw new Error('usage: node tools/kube/kube.ts build | start [DIR] | stop [DIR]');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
