// What a user waits for before anything of theirs happens: the program's start beside Node's own, and the smallest plan.

import { join } from 'node:path';
import { measure } from '../measure.ts';
import { metactl } from '../metactl.ts';
import { type Section, seconds, USAGE_COLUMNS, usageCells, verdict } from '../report.ts';

const HELLO = join(import.meta.dirname, '..', '..', 'examples', 'hello-world');
const HELLO_MS = 400;

export async function startTopic(): Promise<Section> {
  const inputs = ['crd.yaml', 'controller.yaml', 'hello.yaml'].flatMap((file) => ['-f', join(HELLO, file)]);
  const measured = await measure(
    [
      { name: '`node -e 0`', program: process.execPath, arguments: ['-e', '0'] },
      metactl('`metactl --version`', ['--version']),
      metactl('`metactl plan` of hello-world on the sandbox', ['plan', ...inputs, '--sandbox']),
    ],
    { runs: 9 },
  );
  const [node, version, hello] = measured.map(({ wallSeconds }) => wallSeconds) as [number, number, number];
  return {
    title: 'Start',
    text: 'The definition of hello-world is YAML, its hook a TypeScript module in a worker. The compile cache is warm.',
    tables: [{ columns: ['command', ...USAGE_COLUMNS], rows: measured.map((one) => [one.name, ...usageCells(one)]) }],
    verdicts: [
      verdict('`--version` within 3 times `node -e 0`', version <= 3 * node, `${(version / node).toFixed(1)} times`),
      verdict(`hello-world's plan within ${HELLO_MS} ms`, hello * 1000 <= HELLO_MS, seconds(hello)),
    ],
  };
}
