import { resolve } from 'node:path';
import { writeFileAtomically } from './output.ts';
import { quoteForShell } from './shell.ts';
import type { TextSink } from './streams.ts';

/** A kubeconfig for the served sandbox, as JSON, which is YAML too; and on stderr, how to use it. */
export async function writeSandboxKubeconfig(path: string, url: string, stderr: TextSink): Promise<void> {
  const name = 'metactl-sandbox';
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  };
  await writeFileAtomically(path, `${JSON.stringify(kubeconfig, null, 2)}\n`, 0o600);
  await stderr.write(`export KUBECONFIG=${quoteForShell(resolve(path))}\n`);
}
