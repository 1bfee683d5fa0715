// `npm run lint`: everything that can be checked without running the program. Every check runs, whatever the others say;
// the summary comes last. Exit code 1 when one of them found something.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { checkBorders } from './lint-borders.ts';

const ROOT = join(import.meta.dirname, '..');

interface Finding {
  readonly ok: boolean;
  /** For the summary: what was found, or how much was looked at. */
  readonly note?: string;
}

const tool = (program: string, ...args: string[]): Finding => {
  const result = spawnSync(join(ROOT, 'node_modules', '.bin', program), args, { cwd: ROOT, stdio: 'inherit' });
  return { ok: result.status === 0, ...(result.error ? { note: result.error.message } : {}) };
};

const CHECKS: readonly { readonly name: string; readonly what: string; readonly run: () => Finding }[] = [
  { name: 'biome', what: 'format and lint', run: () => tool('biome', 'check', '--error-on-warnings') },
  { name: 'tsc', what: 'types', run: () => tool('tsc', '--noEmit') },
  { name: 'borders', what: 'who imports whom', run: () => checkBorders(ROOT) },
  { name: 'knip', what: 'dead code and dependencies', run: () => tool('knip', '--no-progress') },
];

const findings = CHECKS.map(({ name, what, run }) => {
  console.log(`── ${name}: ${what}`);
  return { name, ...run() };
});
console.log('\nlint');
for (const { name, ok, note } of findings)
  console.log(`  ${ok ? 'ok    ' : 'FAILED'} ${name}${note ? ` (${note})` : ''}`);
process.exitCode = findings.every(({ ok }) => ok) ? 0 : 1;
