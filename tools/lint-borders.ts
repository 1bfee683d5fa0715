// The border map (.dependency-cruiser.mjs), and the proof that it bites. dependency-cruiser passes green on whatever it
// can't read (TypeScript 7 without @swc/core), so more is checked each time: a tree with planted violations is found
// guilty, the real run has seen every source file, and the one form that it does not see, `export type … from`, is not
// used between rooms.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const CONFIG = '.dependency-cruiser.mjs';
const WHERE = ['src', 'commands', 'bin'];

interface CruiseResult {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string; readonly severity: string };
    }[];
  };
}

/** Each breaks the rule that it is named for. Never in the working tree: a temporary one is made of them. */
const PLANTED: Readonly<Record<string, { readonly file: string; readonly text: string }>> = {
  'room-plan': { file: 'src/plan/a.ts', text: "import type { C } from '../cluster/index.ts';\nexport type A = C;\n" },
  'pure-rooms-no-io': { file: 'src/merge/a.ts', text: "export { readFileSync } from 'node:fs';\n" },
  'commands-stay-thin': {
    file: 'commands/a.ts',
    text: "import type { C } from '../src/cluster/index.ts';\nexport type A = C;\n",
  },
  'enter-rooms-by-the-door': {
    file: 'src/app/a.ts',
    text: "import type { C } from '../cluster/inside.ts';\nexport type A = C;\n",
  },
  'only-apply-writes': {
    file: 'src/loop/a.ts',
    text: "import type { Writer } from '../ports/write.ts';\nexport type A = Writer;\n",
  },
};
const UNSEEN_FORM = { file: 'src/health/a.ts', text: "export type {\n  C,\n} from '../cluster/index.ts';\n" };
const GROUND: Readonly<Record<string, string>> = {
  'src/cluster/index.ts': "export type { C } from './inside.ts';\n",
  'src/cluster/inside.ts': 'export type C = 1;\n',
  'src/ports/write.ts': 'export type Writer = 1;\n',
  'bin/run.js': 'export const nothing = 1;\n',
};

export function checkBorders(root: string): { ok: boolean; note: string } {
  const missed = missedViolations(root);
  if (missed.length > 0) return { ok: false, note: `planted violations were not found: ${missed.join(', ')}` };
  const hidden = hiddenReexports(root);
  for (const found of hidden)
    console.log(`  ${found}: write "import type", then "export type", so that the map sees it`);
  const { modules, summary } = cruise(root, root);
  const seen = new Set(modules.map(({ source }) => source));
  const unseen = globSync(
    WHERE.map((directory) => `${directory}/**/*.{ts,js}`),
    { cwd: root },
  ).filter((file) => !seen.has(file));
  for (const { rule, from, to } of summary.violations) console.log(`  ${rule.severity} ${rule.name}: ${from} → ${to}`);
  for (const file of unseen) console.log(`  not seen by dependency-cruiser: ${file}`);
  const note = `${seen.size} modules, ${summary.violations.length + hidden.length} violations, planted ones found`;
  return { ok: summary.violations.length === 0 && unseen.length === 0 && hidden.length === 0, note };
}

function missedViolations(root: string): string[] {
  const ground = mkdtempSync(join(tmpdir(), 'metactl-borders-'));
  try {
    for (const [file, text] of Object.entries(GROUND)) plant(join(ground, file), text);
    for (const { file, text } of Object.values(PLANTED)) plant(join(ground, file), text);
    plant(join(ground, UNSEEN_FORM.file), UNSEEN_FORM.text);
    for (const file of [CONFIG, 'tsconfig.json']) copyFileSync(join(root, file), join(ground, file));
    const found = new Set(cruise(root, ground).summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
    const missed = Object.entries(PLANTED).flatMap(([rule, { file }]) => (found.has(`${rule} ${file}`) ? [] : [rule]));
    return hiddenReexports(ground).length === 1 ? missed : [...missed, 'export type … from'];
  } finally {
    rmSync(ground, { recursive: true, force: true });
  }
}

const REEXPORT = /^export type (?:\*|\{[^}]*\}) from '\.\.\/(?:\.\.\/)*(?:src\/)?([a-z]+)\/[^']*'/gm;

/** kit and model are exempt: every room may import them. */
function hiddenReexports(root: string): string[] {
  return globSync('{src,commands}/**/*.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const own = file.split('/')[1];
    const rooms = [...text.matchAll(REEXPORT)].map((match) => match[1]);
    return rooms.some((room) => isRoom(root, room) && room !== own) ? [file] : [];
  });
}

function isRoom(root: string, name: string | undefined): boolean {
  return name !== undefined && name !== 'kit' && name !== 'model' && existsSync(join(root, 'src', name));
}

function plant(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function cruise(root: string, tree: string): CruiseResult {
  const program = join(root, 'node_modules', '.bin', 'depcruise');
  const args = ['--config', CONFIG, '--output-type', 'json', ...WHERE];
  const result = spawnSync(program, args, { cwd: tree, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (result.error) throw result.error;
  // Its exit code is the number of violations; without a document it failed.
  if (!result.stdout.startsWith('{')) throw new Error(`dependency-cruiser: ${result.stderr || result.stdout}`);
  return JSON.parse(result.stdout) as CruiseResult;
}
