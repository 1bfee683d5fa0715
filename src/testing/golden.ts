// Golden files: what a renderer printed once and somebody read. METACTL_UPDATE_GOLDEN=1 rewrites them; the diff is the review.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTDATA = join(import.meta.dirname, '..', '..', 'testdata');

/** The golden files of one folder of testdata/; one instance a test file. */
export class GoldenDirectory {
  readonly #directory: string;
  readonly #update: boolean;
  readonly #used = new Set<string>();

  constructor(area: string) {
    this.#directory = join(TESTDATA, area);
    this.#update = Boolean(process.env['METACTL_UPDATE_GOLDEN']);
  }

  /** Fails unless the file holds exactly this text. */
  expect(name: string, text: string): void {
    const path = join(this.#directory, name);
    this.#used.add(name);
    if (this.#update) {
      mkdirSync(this.#directory, { recursive: true });
      writeFileSync(path, text);
    }
    const hint = `testdata differs: ${name} (npm run test:update rewrites it; review the diff)`;
    assert.equal(text, existsSync(path) ? readFileSync(path, 'utf8') : '(no such file)', hint);
  }

  /** To be called last: a file that no test has asked for is a leftover. */
  expectNoOrphans(): void {
    const names = existsSync(this.#directory) ? readdirSync(this.#directory) : [];
    const orphans = names.filter((name) => !this.#used.has(name));
    if (this.#update) for (const name of orphans) rmSync(join(this.#directory, name));
    else assert.deepEqual(orphans, [], 'files in testdata that no test reads (npm run test:update removes them)');
  }
}
