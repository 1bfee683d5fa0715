// Writes deploy/kustomize from src/install/manifests.ts, and the CRDs of deploy/crds in the one file that kustomize and Helm
// each want inside of their own folder. Usage: node tools/generate/kustomize.ts. A test compares the files with what this
// would write.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toKubectlYaml } from '../../src/definitions/index.ts';
import { manifestsOf } from '../../src/install/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const WRITTEN = '# Written by tools/generate/kustomize.ts; do not edit.\n';

/** Text by path from the root of the repository. */
export function kustomizeFiles(): Readonly<Record<string, string>> {
  const crds = crdsText();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const place = { name: 'metactl', namespace: 'metactl' };
  const manifests = manifestsOf({
    ...{ ...place, image: `metactl:${version}`, replicas: 1, arguments: [], rights: 'everything' },
  });
  const kustomization = {
    ...{ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' },
    resources: ['crds.yaml', 'metactl.yaml'],
  };
  return {
    'deploy/kustomize/kustomization.yaml': `${WRITTEN}# A base: image, namespace and replicas are an overlay's business (docs/guide/install.md).\n${toKubectlYaml(kustomization)}`,
    'deploy/kustomize/crds.yaml': crds,
    'deploy/kustomize/metactl.yaml': `${WRITTEN}# From src/install/manifests.ts: what \`metactl install\` applies.\n${manifests.map(toKubectlYaml).join('---\n')}`,
    'deploy/helm/metactl/crds/crds.yaml': crds,
  };
}

function crdsText(): string {
  const files = globSync('deploy/crds/*.yaml', { cwd: ROOT }).sort();
  const withoutComments = files.map((file) => readFileSync(join(ROOT, file), 'utf8').replaceAll(/^#.*\n/gm, ''));
  return `${WRITTEN}# From deploy/crds.\n${withoutComments.join('---\n')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of Object.entries(kustomizeFiles())) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}
