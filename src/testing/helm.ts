// Helm as a person runs it, on our chart; built from its published module beside kubectl (tools/kube).

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '../../tools/kube/binaries.ts';

const CHART = join(import.meta.dirname, '../../deploy/helm/metactl');
/** What a chart is told of the cluster, which is not asked. */
const KUBERNETES = '1.36.0';

export function findHelm(): string | undefined {
  const binaries = findBinaries(process.env);
  return 'missing' in binaries ? undefined : binaries.helm;
}

export interface HelmOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function helm(...words: readonly string[]): Promise<HelmOutcome> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  return new Promise((resolve) => {
    execFile(findHelm() ?? '', words, { env, timeout: 60_000, maxBuffer: 2 ** 25 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });
}

/** `helm template` of the chart, without its CRDs. `directory`: for the values. */
export async function renderChart(
  values: object,
  { namespace, directory, release = 'metactl' }: { namespace: string; directory: string; release?: string },
): Promise<HelmOutcome> {
  const file = join(directory, 'values.json');
  await writeFile(file, JSON.stringify(values));
  return helm('template', release, CHART, '--namespace', namespace, '--kube-version', KUBERNETES, '--values', file);
}

export const lintChart = (): Promise<HelmOutcome> => helm('lint', '--strict', '--kube-version', KUBERNETES, CHART);
