// npm run record:golden [GROUP...]: sends the requests of src/testing/recorded to a real API server and writes its answers to
// testdata/sandbox/recorded/GROUP.json, one line a case. The server is one of its own without controllers, so that nothing
// but the requests changes anything. With METACTL_RECORD_KUBECONFIG another one is used.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/cluster/index.ts';
import { stringifyJson } from '../src/kit/json.ts';
import type { Transport } from '../src/ports/transport.ts';
import { realClock } from '../src/testing/real-clock.ts';
import { type Answers, createGroupNamespace, RECORDED_GROUPS, sendGroup } from '../src/testing/recorded/index.ts';
import { findBinaries } from './kube/binaries.ts';
import { startControlPlane } from './kube/control-plane.ts';
import { killProcesses } from './kube/processes.ts';

const DIRECTORY = join(import.meta.dirname, '../testdata/sandbox/recorded');

async function withServer(use: (kubeconfig: string) => Promise<void>): Promise<void> {
  const given = process.env['METACTL_RECORD_KUBECONFIG'];
  if (given) return use(given);
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) throw new Error(binaries.missing);
  const { etcd, apiServer, kubectl } = binaries;
  const directory = mkdtempSync(join(tmpdir(), 'metactl-kube-record-'));
  try {
    await use((await startControlPlane({ etcd, apiServer, kubectl }, directory)).kubeconfig);
  } finally {
    killProcesses(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

async function record(transport: Transport, chosen: readonly string[]): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  let total = 0;
  for (const group of RECORDED_GROUPS) {
    if (chosen.length > 0 && !chosen.includes(group.name)) continue;
    const namespace = await createGroupNamespace(transport);
    const answers = await sendGroup(transport, group, { namespace });
    writeFileSync(join(DIRECTORY, `${group.name}.json`), linePerCase(answers));
    total += group.cases.length;
    console.log(`${group.name}: ${group.cases.length}`);
  }
  console.log(`${total} answers recorded`);
}

function linePerCase(answers: Answers): string {
  const lines = Object.entries(answers).map(([name, answer]) => `${JSON.stringify(name)}: ${stringifyJson(answer)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

await withServer(async (kubeconfig) => {
  const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
  if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
  try {
    await record(connection.transport, process.argv.slice(2));
  } finally {
    await connection.transport.close();
  }
});
