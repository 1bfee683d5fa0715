// `npm run soak`: the tests that can go on for long, by the same driver as `npm test`.
//
//   npm run soak                              random edits through a network in trouble (src/app/soak.test.ts): 600 s on the
//                                             sandbox, then 600 s on the real server, which is left out where its programs are missing
//   npm run soak -- controllers               Kubernetes' own controllers on the sandbox beside the real server
//                                             (src/sandbox/controllers.test.ts): 300 s; needs the programs
//   METACTL_SOAK_SECONDS=60 npm run soak      shorter
//   METACTL_SEED=7 npm run soak               other edits and faults

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Soak {
  readonly file: string;
  readonly seconds: number;
  /** A run each, one after the other: the driver gives a file a quarter of an hour. */
  readonly targets: readonly string[];
}

const SOAKS: Readonly<Record<string, Soak>> = {
  apply: { file: 'src/app/soak', seconds: 600, targets: ['sandbox', 'real'] },
  controllers: { file: 'src/sandbox/controllers.test', seconds: 300, targets: ['real'] },
};
const DRIVER = join(import.meta.dirname, 'test.ts');

function run({ file, seconds, targets }: Soak): number {
  const lasting = process.env['METACTL_SOAK_SECONDS'] ?? String(seconds);
  const codes = targets.map((target) => {
    const env = { ...process.env, METACTL_SOAK_SECONDS: lasting, METACTL_TEST_TARGET: target };
    return spawnSync(process.execPath, [DRIVER, file], { env, stdio: 'inherit' }).status ?? 1;
  });
  return Math.max(...codes);
}

const soak = SOAKS[process.argv[2] ?? 'apply'];
if (soak) process.exitCode = run(soak);
else {
  console.error(`usage: npm run soak [-- ${Object.keys(SOAKS).join(' | ')}]`);
  process.exitCode = 1;
}
