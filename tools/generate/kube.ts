// `npm run generate:kube`: writes the sandbox's data (src/sandbox/generated) from a real kube-apiserver: the one of
// `npm run kube:start` when its variables are set, else one started for the run.
//
//   npm run generate:kube                        resources, schemas, descriptions
//   npm run generate:kube -- k8s-types.json      and the Go types, which no server tells (sandbox-types.ts says what it holds)

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findBinaries } from '../kube/binaries.ts';
import { controlPlaneForThisRun } from '../kube/for-a-run.ts';
import { readKubeSource } from './kube-source.ts';
import { resourcesText } from './sandbox-resources.ts';
import { compressedModule, descriptionsOf, schemaFile } from './sandbox-schemas.ts';
import { type TypesSource, typesText } from './sandbox-types.ts';

const GENERATED = join(import.meta.dirname, '../../src/sandbox/generated');

async function kubeconfig(): Promise<string> {
  const given = process.env['METACTL_REAL_KUBECONFIG'];
  if (given) return given;
  const binaries = findBinaries(process.env);
  if ('missing' in binaries) throw new Error(binaries.missing);
  return (await controlPlaneForThisRun(binaries)).kubeconfig;
}

async function main([typesFile]: readonly string[]): Promise<void> {
  const { version, core, groups, documents } = await readKubeSource(await kubeconfig());
  const write = (name: string, text: string): void => {
    writeFileSync(join(GENERATED, name), text);
    console.log(`${name}: ${text.length} bytes`);
  };
  write('resources.ts', resourcesText(core, groups, version));
  const schemas = { what: 'OpenAPI v3 schemas without descriptions', version };
  write('schemas.ts', compressedModule('SCHEMAS', schemaFile(documents, version), schemas));
  const descriptions = { what: 'the descriptions of the OpenAPI v3 schemas', version };
  write('descriptions.ts', compressedModule('DESCRIPTIONS', descriptionsOf(documents), descriptions));
  if (typesFile) write('types.ts', typesText(JSON.parse(readFileSync(typesFile, 'utf8')) as TypesSource, version));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv.slice(2));
  process.exit(); // ends the control plane that was started for the run
}
