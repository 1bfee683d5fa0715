// A part of the build: the checks of definitions as plain functions, so that the program neither carries ajv nor waits for
// it (0.3 s of each start, when this was written).

import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { compileCheck } from '../src/definitions/schema/check.ts';
import { compositeSchema } from '../src/definitions/schema/composite-schema.ts';

const SCHEMA_DIRECTORY = join(import.meta.dirname, '..', 'src', 'definitions', 'schema');

/** JavaScript with the exports of src/definitions/schema/definition-checks.ts. */
export function compiledChecks(): string {
  const { ajv, check } = compileCheck(compositeSchema, { source: true, esm: true });
  const print = standaloneCode.default ?? standaloneCode;
  return `${print(ajv, check as never)}\nexport const compositeCheck = () => validate;\n`;
}

export const COMPILED_CHECKS: Plugin = {
  name: 'compiled-checks',
  setup(bundler) {
    bundler.onLoad({ filter: /src\/definitions\/schema\/definition-checks\.ts$/ }, () => ({
      contents: compiledChecks(),
      resolveDir: SCHEMA_DIRECTORY,
      loader: 'js',
    }));
  },
};
