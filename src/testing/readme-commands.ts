// The commands of a README as a person types them: its sh blocks, one after the other in one shell, at the top of the checkout.
// Three things are another: what lies in /tmp there lies in a directory of the test's; `npm run metactl --` starts the program
// without npm in between; and background programs end with the last command.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findKubectl } from './kubectl.ts';

const ROOT = join(import.meta.dirname, '../..');

export function shellBlocksOf(readme: string): string[] {
  return [...readFileSync(readme, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

/** Ends at the first command that fails, and with its code. */
const HEAD = `set -eu
npm() {
  [ "$1 $2 $3" = 'run metactl --' ] || { echo "not a command that is known here: npm $*"; return 1; }
  shift 3
  '${process.execPath}' '${join(ROOT, 'bin/run.js')}' "$@"
}
`;

export interface Typed {
  readonly code: number | null;
  /** stdout and stderr. */
  readonly output: string;
}

/** `directory`: in the place of /tmp; HOME, and what else is written, is there too. */
export async function typeCommands(blocks: readonly string[], directory: string): Promise<Typed> {
  const script = join(directory, 'commands.sh');
  writeFileSync(script, HEAD + blocks.join('').replaceAll('/tmp/', `${directory}/`));
  // A group of its own: whatever was left in the background ends with it.
  const child = spawn('bash', ['-x', script], {
    ...{ cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { PATH: pathWith(directory), HOME: directory, LANG: 'C.UTF-8' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  // 'close' would wait for what runs in the background.
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // Nothing was left.
  }
  return { code, output };
}

/** Of the server's version, where it was built. */
function pathWith(directory: string): string {
  const kubectl = findKubectl();
  const path = process.env['PATH'] ?? '';
  if (kubectl === undefined) return path;
  const bin = join(directory, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(kubectl, join(bin, 'kubectl'));
  return `${bin}:${dirname(process.execPath)}:${path}`;
}
