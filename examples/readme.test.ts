// Every example is whole, and the commands of its README do what they say, typed as they stand there, on the sandbox.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { missingProgram } from '../src/testing/example-project.ts';
import { findKubectl } from '../src/testing/kubectl.ts';
import { shellBlocksOf, typeCommands } from '../src/testing/readme-commands.ts';
import { build } from '../tools/build.ts';

const EXAMPLES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What its commands start. webhook-tls listens at a port that it names, which may be taken: lifecycle.test.ts runs its program. */
const NEEDS: Readonly<Record<string, string>> = {
  'hello-world-python': 'python3',
  'crd-roles': 'python3',
  indexedjob: 'python3',
  'secret-propagation': 'python3',
  daemonjob: 'jq',
};
const NOT_TYPED: ReadonlySet<string> = new Set(['webhook-tls']);

const filesOf = (example: string): string[] => readdirSync(join(import.meta.dirname, example));
const textOf = (example: string, file: string): string =>
  readFileSync(join(import.meta.dirname, example, file), 'utf8');

describe('every example is whole', () => {
  for (const example of EXAMPLES)
    test(example, () => {
      const files = filesOf(example);
      const yaml = files.filter((file) => file.endsWith('.yaml')).map((file) => textOf(example, file));
      assert.ok(files.includes('README.md'));
      assert.ok(
        yaml.some((text) => /^kind: (Composite|Decorator|Map)Controller$/m.test(text)),
        'a definition',
      );
      assert.ok(
        files.some((file) => /\.(ts|js|py|jsonnet|sh|go)$/.test(file) && !file.endsWith('.test.ts')),
        'a hook',
      );
      const tested = files.some((file) => file.endsWith('.test.ts'));
      assert.ok(tested || textOf('.', 'examples.test.ts').includes(`name: '${example}'`), 'a test');
      const told = [...textOf(example, 'README.md').matchAll(/^\| `([^`]+)`/gm)].map(([, file = '']) => file);
      for (const file of told) assert.ok(existsSync(join(import.meta.dirname, example, file)), `${file} of the README`);
    });

  test('hooks are in TypeScript, JavaScript, Python, Jsonnet, Go and shell, between them', () => {
    const all = EXAMPLES.flatMap(filesOf).filter((file) => !file.endsWith('.test.ts'));
    for (const ending of ['.ts', '.js', '.py', '.jsonnet', '.go', '.sh'])
      assert.ok(
        all.some((file) => file.endsWith(ending)),
        ending,
      );
  });
});

function reasonToSkip(example: string, blocks: readonly string[]): string | false {
  const needs = NEEDS[example];
  if (needs !== undefined && missingProgram(needs) !== false) return missingProgram(needs);
  if (blocks.some((block) => block.includes('kubectl')) && findKubectl() === undefined) return 'kubectl was not built';
  return spawnSync('bash', ['--version']).status === 0 ? false : 'bash is not on this machine';
}

describe('the commands of the READMEs', { concurrency: 2 }, () => {
  before(() => build());
  for (const example of EXAMPLES.filter((name) => !NOT_TYPED.has(name))) {
    const blocks = shellBlocksOf(join(import.meta.dirname, example, 'README.md'));
    test(example, { skip: reasonToSkip(example, blocks) }, async () => {
      const directory = await mkdtemp(join(tmpdir(), `metactl-readme-${example}-`));
      after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
      const { code, output } = await typeCommands(blocks, directory);
      assert.equal(code, 0, output.slice(-4_000));
      assert.match(output, /settled|No changes/);
    });
  }
});
