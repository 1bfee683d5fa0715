// `npm run soak`: the tests that can go on for long, by the same driver as `npm test`.
//
//   npm run soak                              random edits through a network in trouble (src/app/soak.test.ts): 600 s on the
//                                             sandbox, then 600 s on the real server, which is left out where its programs are missing
//   npm run soak -- controllers               Kubernetes' own controllers on the sandbox beside the real server
//                                             (src/sandbox/controllers.test.ts): 300 s; needs the programs
//   npm run soak -- kills                     a daemon with two examples, killed 100 times (src/app/running/trouble-kills.test.ts)
//   npm run soak -- network                   the same with calls that fail, hooks that are down for a minute, a clock that is set,
//                                             leaders cut off and killed: 25 rounds (trouble-network.test.ts)
//   npm run soak -- server                    the same with an API server killed, robbed of its history, an etcd that takes no
//                                             writes or hangs: 15 rounds (trouble-server.test.ts); needs the programs
//   npm run soak -- memory                    parents that come, change and go: 1,800 s on the sandbox (memory.test.ts)
//   METACTL_SOAK_SECONDS=60 npm run soak      shorter; so do METACTL_SOAK_KILLS and METACTL_SOAK_ROUNDS
//   METACTL_SEED=7 npm run soak               other edits and faults

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Soak {
  readonly file: string;
  readonly seconds?: number;
  /** Unless the environment has them already. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A run each, one after the other. */
  readonly targets: readonly string[];
}

const SOAKS: Readonly<Record<string, Soak>> = {
  apply: { file: 'src/app/soak', seconds: 600, targets: ['sandbox', 'real'] },
  controllers: { file: 'src/sandbox/controllers.test', seconds: 300, targets: ['real'] },
  kills: {
    file: 'src/app/running/trouble-kills',
    variables: { METACTL_SOAK_KILLS: '100' },
    targets: ['sandbox', 'real'],
  },
  network: {
    file: 'src/app/running/trouble-network',
    variables: { METACTL_SOAK_ROUNDS: '25', METACTL_SOAK_DOWN_SECONDS: '30' },
    targets: ['sandbox', 'real'],
  },
  server: { file: 'src/app/running/trouble-server', variables: { METACTL_SOAK_ROUNDS: '15' }, targets: ['real'] },
  memory: { file: 'src/app/running/memory', seconds: 1_800, targets: ['sandbox'] },
};
const DRIVER = join(import.meta.dirname, 'test.ts');

function run({ file, seconds, variables = {}, targets }: Soak): number {
  const lasting = seconds === undefined ? {} : { METACTL_SOAK_SECONDS: String(seconds) };
  const codes = targets.map((target) => {
    const own = { METACTL_TEST_TARGET: target, METACTL_TEST_FILE_MINUTES: '60', METACTL_TEST_NOTES: '1' };
    const env = { ...lasting, ...variables, ...process.env, ...own };
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
