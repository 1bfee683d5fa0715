// The documents that are written by hand, held to what they describe where a machine can do it.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ACTIONS, FIDELITIES, REASONS, RESULTS, WAVES } from '../src/model/vocabulary.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('the glossary has every word of the closed lists', () => {
  const glossary = read('docs/GLOSSARY.md');
  for (const word of [...ACTIONS, ...REASONS, ...WAVES, ...FIDELITIES, ...RESULTS])
    assert.ok(glossary.includes(`\`${word}\``), `docs/GLOSSARY.md does not explain ${word}`);
});

test('the architecture names every room, and every room has a README and, but for the open shelves, a door', () => {
  const architecture = read('docs/ARCHITECTURE.md');
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of rooms) {
    assert.ok(architecture.includes(`\`src/${name}\``), `docs/ARCHITECTURE.md does not name src/${name}`);
    assert.ok(existsSync(join(ROOT, 'src', name, 'README.md')), `src/${name} has no README.md`);
    const needsDoor = !['kit', 'model', 'ports', 'testing'].includes(name);
    assert.ok(!needsDoor || existsSync(join(ROOT, 'src', name, 'index.ts')), `src/${name} has no index.ts`);
  }
});

test('links between documents lead somewhere', () => {
  const documents = globSync(['*.md', '{docs,src,tools,examples}/**/*.md'], { cwd: ROOT });
  for (const document of documents) {
    for (const [, target = ''] of read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
      assert.ok(existsSync(join(ROOT, dirname(document), target)), `${document}: ${target} is not there`);
  }
});

test('every npm script that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const documents = globSync(['*.md', 'docs/**/*.md', 'tools/**/*.md', 'examples/**/*.md'], { cwd: ROOT });
  for (const document of documents) {
    for (const [, name = ''] of read(document).matchAll(/npm run (?:-s |--silent )?([\w:]+)/g))
      assert.ok(name in scripts, `${document}: there is no "npm run ${name}"`);
  }
});
