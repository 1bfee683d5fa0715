// `npm test`: runs every *.test.ts, with one real API server for all of them when its programs exist, and prints the totals
// as its last line. Exit code 1 when a test failed or none ran.
//
//   npm test                                 everything
//   npm test -- src/merge sandbox            files whose path contains one of the words
//   npm test -- --real                       only files that test against the real server, and in them only this target
//   METACTL_TEST_TARGET=sandbox npm test     as on a machine without the real server
//   METACTL_REQUIRE_KUBE=1 npm test          a real server that is missing, or a test skipped for want of it, is a failure
//   METACTL_TEST_SUMMARY=FILE npm test       the totals also as JSON, for .ci/run
//   METACTL_TEST_FILE_MINUTES=60, METACTL_TEST_NOTES=1    how long one file may take, and what tests note: for tools/soak.ts

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { findBinaries } from './kube/binaries.ts';
import { controlPlaneForThisRun } from './kube/for-a-run.ts';
import { reportTests } from './test-report.ts';

const ROOT = join(import.meta.dirname, '..');
const WHERE = ['src', 'commands', 'tools', 'examples'];
const FILE_TIMEOUT_MS = Number(process.env['METACTL_TEST_FILE_MINUTES'] ?? 15) * 60_000;

/** A test that may use the real server gets it from one of these two modules. */
const USES_REAL_SERVER = /from '[^']*\/(?:real-server|targets)\.ts'/;

function selectFiles(words: readonly string[]): string[] {
  const files = globSync(
    WHERE.map((directory) => `${directory}/**/*.test.ts`),
    { cwd: ROOT, exclude: (name) => name === 'node_modules' },
  ).sort();
  return words.length === 0 ? files : files.filter((file) => words.some((word) => file.includes(word)));
}

/** Starts the real server and leaves its whereabouts, or why there is none, in the environment of the test processes. */
async function provideRealServer(environment: NodeJS.ProcessEnv): Promise<void> {
  if (environment['METACTL_REAL_KUBECONFIG']) return; // started by hand
  const binaries = findBinaries(environment);
  if ('missing' in binaries) {
    environment['METACTL_REAL_MISSING'] = binaries.missing;
    return;
  }
  const { kubeconfig, kubectl, features } = await controlPlaneForThisRun(binaries);
  environment['METACTL_REAL_KUBECONFIG'] = kubeconfig;
  environment['METACTL_REAL_KUBECTL'] = kubectl;
  environment['METACTL_REAL_FEATURES'] = features.join(',');
}

async function main(words: readonly string[]): Promise<number> {
  const environment = process.env;
  const onlyReal = words.includes('--real');
  if (onlyReal) environment['METACTL_TEST_TARGET'] = 'real';
  const usesRealServer = (file: string): boolean => USES_REAL_SERVER.test(readFileSync(join(ROOT, file), 'utf8'));
  const selected = selectFiles(words.filter((word) => word !== '--real'));
  const files = onlyReal ? selected.filter(usesRealServer) : selected;
  if (environment['METACTL_TEST_TARGET'] !== 'sandbox' && files.some(usesRealServer)) {
    await provideRealServer(environment);
  }
  const events = run({
    files: files.map((file) => join(ROOT, file)),
    cwd: ROOT,
    concurrency: Math.max(2, availableParallelism()),
    timeout: FILE_TIMEOUT_MS,
  });
  const totals = await reportTests(events, {
    requireRealServer: environment['METACTL_REQUIRE_KUBE'] === '1',
    notes: environment['METACTL_TEST_NOTES'] === '1',
    print: (text) => process.stdout.write(text),
  });
  const summary = environment['METACTL_TEST_SUMMARY'];
  if (summary) writeFileSync(summary, JSON.stringify(totals));
  console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
