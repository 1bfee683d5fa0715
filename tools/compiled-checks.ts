// A part of the build: the checks of definitions and of the configuration as plain functions, so that the program neither carries ajv nor waits for
// it (0.3 s of each start, when this was written).

import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { compileConfigCheck } from '../src/cli/config/compile-check.ts';
import { compileChecks } from '../src/definitions/schema/check.ts';
import { DEFINITION_SCHEMAS } from '../src/definitions/schema/definition-schema.ts';

const ROOT = join(import.meta.dirname, '..');

const print = standaloneCode.default ?? standaloneCode;

/** JavaScript with the export of src/definitions/schema/definition-checks.ts. */
export function compiledChecks(): string {
  const { ajv } = compileChecks(DEFINITION_SCHEMAS, { source: true, esm: true });
  const kinds = Object.keys(DEFINITION_SCHEMAS);
  const functions = print(ajv, Object.fromEntries(kinds.map((kind) => [kind, kind])));
  return `${functions}\nexport const definitionCheck = (kind) => ({ ${kinds.join(', ')} })[kind];\n`;
}

/** The same for src/cli/config/config-check.ts. */
function compiledConfigCheck(): string {
  const { ajv, check } = compileConfigCheck({ source: true, esm: true });
  return `${print(ajv, check as never)}\nexport const configCheck = () => validate;\n`;
}

export const COMPILED_CHECKS: Plugin = {
  name: 'compiled-checks',
  setup(bundler) {
    bundler.onLoad({ filter: /src\/definitions\/schema\/definition-checks\.ts$/ }, () => ({
      contents: compiledChecks(),
      resolveDir: join(ROOT, 'src', 'definitions', 'schema'),
      loader: 'js',
    }));
    bundler.onLoad({ filter: /src\/cli\/config\/config-check\.ts$/ }, () => ({
      contents: compiledConfigCheck(),
      resolveDir: join(ROOT, 'src', 'cli', 'config'),
      loader: 'js',
    }));
  },
};
