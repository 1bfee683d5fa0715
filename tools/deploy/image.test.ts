// The Dockerfile as far as it goes without Docker: what its second stage copies is enough to run metactl, with nothing beside
// it, as somebody who may not write there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const app = mkdtempSync(join(tmpdir(), 'metactl-image-'));
after(() => rmSync(app, { recursive: true, force: true }));

/** [from below /src, to below /app] */
function copies(): (readonly [from: string, to: string])[] {
  return [...dockerfile.matchAll(/^COPY --from=build (.+) (\S+)$/gm)].flatMap(([, sources = '', to = '']) =>
    sources.split(' ').map((source) => {
      const from = source.replace('/src/', '');
      return [from, to.endsWith('/') ? join(to, basename(from)) : to] as const;
    }),
  );
}

function metactl(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(app, 'bin/run.js'), ...words], {
    ...{ cwd: app, encoding: 'utf8' },
    env: { HOME: '/nonexistent', NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return { status, stdout, stderr };
}

test('what the image holds is a whole program', () => {
  const built = spawnSync(process.execPath, [join(ROOT, 'tools/build.ts')], { encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  for (const [from, to] of copies()) {
    mkdirSync(join(app, to, '..'), { recursive: true });
    cpSync(join(ROOT, from), join(app, to), { recursive: true });
  }
  // As `npm pkg delete oclif.plugins` does it.
  const { oclif, ...about } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as { oclif: object };
  assert.match(dockerfile, /^RUN npm pkg delete oclif\.plugins$/m);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...about, oclif: { ...oclif, plugins: undefined } }));
  const version = metactl('version');
  assert.deepEqual([version.status, version.stderr], [0, '']);
  assert.match(version.stdout, /^metactl\//);
  const help = metactl('daemon', '--help');
  assert.equal(help.status, 0, help.stderr);
  assert.match(help.stdout, /--leader-election/);
  const planned = metactl('install', '--sandbox', '--dry-run', '--image', 'x:1');
  assert.equal(planned.status, 0, planned.stderr);
  assert.match(planned.stdout, /CustomResourceDefinition compositecontrollers/);
  const unknown = metactl('daemon', '--no-such-flag');
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /no-such-flag/);
});

test('it is nobody who runs it, and the program is its entry', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(last, /^FROM gcr\.io\/distroless\/\S+:nonroot$/m);
  assert.match(last, /^USER 65532:65532$/m);
  assert.match(last, /^ENTRYPOINT \["\/nodejs\/bin\/node", "\/app\/bin\/run\.js"\]$/m);
});
