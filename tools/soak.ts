// `npm run soak`: random edits through a network in trouble, ten minutes on each server (src/app/soak.test.ts), by the same
// driver as `npm test`. The real server is left out where its programs are missing.
//
//   npm run soak                              600 s on the sandbox, then 600 s on the real server
//   METACTL_SOAK_SECONDS=60 npm run soak      shorter
//   METACTL_SEED=7 npm run soak               other edits and faults

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const DRIVER = join(import.meta.dirname, 'test.ts');
const seconds = process.env['METACTL_SOAK_SECONDS'] ?? '600';

// One after the other, a run each: the driver gives a file a quarter of an hour.
const codes = ['sandbox', 'real'].map((target) => {
  const env = { ...process.env, METACTL_SOAK_SECONDS: seconds, METACTL_TEST_TARGET: target };
  return spawnSync(process.execPath, [DRIVER, 'src/app/soak'], { env, stdio: 'inherit' }).status ?? 1;
});
process.exitCode = Math.max(...codes);
