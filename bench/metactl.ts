// The program under test: the built bin/run.js, as a user starts it.

import { join } from 'node:path';
import type { Command } from './measure.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');

export type Cluster = { readonly kubeconfig: string } | { readonly sandboxDirectory: string };

export function metactl(name: string, args: readonly string[], cluster?: Cluster): Command {
  return { name, program: process.execPath, arguments: [RUN, ...args, ...(cluster ? clusterFlags(cluster) : [])] };
}

export function clusterFlags(cluster: Cluster): string[] {
  return 'kubeconfig' in cluster ? ['--kubeconfig', cluster.kubeconfig] : ['--sandbox-dir', cluster.sandboxDirectory];
}
