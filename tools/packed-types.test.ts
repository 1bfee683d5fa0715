// The types as a user gets them, without our sources and our dependencies: declarations in node_modules/metactl, his own tsconfig.json.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CONTROLLER_KINDS, scaffoldFiles } from '../src/scaffold/index.ts';
import { CRD_SAMPLES, randomCrd } from '../src/testing/crd-samples.ts';
import { withSeeds } from '../src/testing/random-json.ts';
import { type TypedProject, typedProject } from '../src/testing/typed-project.ts';
import { typesOfCrds } from '../src/typescript/index.ts';

let project: TypedProject;
before(async () => {
  project = await typedProject();
});
after(() => project.remove());

const HEAD = `import { childrenOf, defineComposite, type Deployment, type KubeObject, type Pod } from 'metactl';
const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'b' }] } };
`;

const RIGHT = `${HEAD}
export const { sync } = defineComposite<KubeObject, Deployment | Pod>({
  sync: (request) => {
    const ready: number | undefined = childrenOf(request, 'apps/v1', 'Deployment')[0]?.status?.readyReplicas;
    return { status: { ready }, children: [pod] };
  },
});
`;

test('a hook compiles', () => assert.equal(project.check({ 'sync.ts': RIGHT }), ''));

test('and with all declarations checked, where it takes the SDK alone', () => {
  assert.equal(project.check({ 'sync.ts': RIGHT.replace("'metactl'", "'metactl/sdk'") }, { skipLibCheck: false }), '');
});

test('and in a project that bundles', () => {
  assert.equal(project.check({ 'sync.ts': RIGHT }, { module: 'esnext', moduleResolution: 'bundler' }), '');
});

const WRONG: readonly { readonly name: string; readonly from: string; readonly to: string; readonly says: RegExp }[] = [
  { name: 'a kind that is not declared', from: "'Deployment')", to: "'StatefulSet')", says: /StatefulSet/ },
  { name: 'a field that there is not', from: 'readyReplicas', to: 'redyReplicas', says: /redyReplicas/ },
  {
    name: 'a field of another type',
    from: "name: 'a', image",
    to: 'name: 1, image',
    says: /'number' is not assignable/,
  },
  { name: 'a hook that there is not', from: 'sync: (request)', to: 'synk: (request)', says: /synk/ },
  { name: 'an answer without a list', from: 'children: [pod]', to: 'children: pod', says: /children/ },
];
test('what is wrong does not compile', () => {
  const files = WRONG.map(({ from, to }, index) => [`wrong-${index}.ts`, RIGHT.replace(from, to)]);
  const said = project.check(Object.fromEntries(files));
  for (const [index, { name, from, says }] of WRONG.entries()) {
    assert.ok(RIGHT.includes(from), name);
    const own = said.split(/^(?=\S)/m).filter((problem) => problem.includes(`wrong-${index}.ts(`));
    assert.match(own.join(''), says, name);
  }
});

describe('what `metactl types` writes', () => {
  const web = (program: string): Record<string, string> => ({
    'web.ts': typesOfCrds(CRD_SAMPLES['web.ts'] ?? []).text,
    'sync.ts': program,
  });
  const SYNC = `import { childrenOf, defineComposite, type Desired, type Deployment } from 'metactl';
import type { Web } from './web.ts';
export const { sync } = defineComposite<Web, Deployment | Web>({
  sync: (request) => {
    const { spec } = request.parent;
    const others: Web[] = childrenOf(request, 'example.com/v1', 'Web');
    const port: number | string | undefined = spec?.port;
    const strategy: 'Recreate' | 'RollingUpdate' | undefined = spec?.strategy;
    const known: string | undefined = spec?.open?.known;
    const unknown: unknown = spec?.open?.['other'];
    const kind: string | undefined = spec?.template?.kind;
    const next: Desired<Web> = {
      apiVersion: 'example.com/v1',
      kind: 'Web',
      metadata: { name: 'next', labels: { port: String(port) } },
      spec: { image: spec?.image ?? 'nginx', ports: [{ port: 80 }], mode: null, ratio: null, levels: [1, 3] },
    };
    return { status: { ready: others.length }, children: [next], known, unknown, kind, strategy };
  },
});
`;

  test('compiles in a hook', () => {
    assert.equal(project.check(web(SYNC), { allowImportingTsExtensions: true, exactOptionalPropertyTypes: true }), '');
  });

  test('refuses what the schema does', () => {
    const wrong: readonly [from: string, to: string, says: RegExp][] = [
      ['ready: others.length }', "ready: 'one' }", /string/],
      ['levels: [1, 3]', 'levels: [4]', /'4' is not assignable/],
      ["image: spec?.image ?? 'nginx', ", '', /image/],
      ['ports: [{ port: 80 }]', "ports: [{ name: 'a' }]", /port/],
      ["'Recreate' | 'RollingUpdate' | undefined", "'OnDelete' | undefined", /OnDelete/],
      ["'example.com/v1', 'Web')", "'example.com/v2', 'Web')", /never/],
    ];
    const files = wrong.map(([from, to], index) => [`wrong-${index}.ts`, SYNC.replace(from, to)]);
    const said = project.check({ ...web(SYNC), ...Object.fromEntries(files) }, { allowImportingTsExtensions: true });
    for (const [index, [from, , says]] of wrong.entries()) {
      assert.ok(SYNC.includes(from), from);
      const own = said.split(/^(?=\S)/m).filter((problem) => problem.includes(`wrong-${index}.ts(`));
      assert.match(own.join(''), says, from);
    }
    assert.ok(!said.includes('sync.ts('), said);
  });

  test('compiles whatever the schemas say', () => {
    const samples = Object.entries(CRD_SAMPLES).map(([name, crds]) => [name, typesOfCrds(crds).text]);
    const random: [string, string][] = [];
    withSeeds(1, 60, (draw) => {
      const number = random.length + 1;
      random.push([`random-${number}.ts`, typesOfCrds([randomCrd(draw, `Kind${number}`)]).text]);
    });
    assert.equal(project.check(Object.fromEntries([...samples, ...random])), '');
  });
});

describe('what `metactl init` writes', () => {
  const filesOf = (kind: (typeof CONTROLLER_KINDS)[number], name: string, language: 'ts' | 'js') =>
    Object.fromEntries(scaffoldFiles({ kind, name, language, group: 'example.com' }));

  for (const kind of CONTROLLER_KINDS) {
    test(`${kind}, ts: by its own settings, and its tests`, () => {
      const files = filesOf(kind, 'web-app', 'ts');
      const { compilerOptions } = JSON.parse(files['tsconfig.json'] ?? '{}') as { compilerOptions: object };
      assert.equal(project.check(files, { ...compilerOptions, types: ['node'] }), '');
    });

    test(`${kind}, js`, () => {
      const { 'hook.test.js': _, ...files } = filesOf(kind, 'web-app', 'js');
      assert.equal(project.check(files, { allowJs: true, checkJs: true }), '');
    });
  }

  test('whatever its name', () => {
    const names = ['deployment', 'metadata', 'kube-object', 'parent', 'string'];
    const files = names.flatMap((name) =>
      Object.entries(filesOf('composite', name, 'ts')).map(([file, text]) => [`${name}/${file}`, text]),
    );
    const options = { allowImportingTsExtensions: true, types: ['node'] };
    assert.equal(project.check(Object.fromEntries(files), options), '');
  });

  test('and a mistake in the hook is told', () => {
    const files = filesOf('composite', 'web-app', 'ts');
    const wrong = { ...files, 'hook.ts': files['hook.ts']?.replace('spec.image', 'spec.picture') ?? '' };
    assert.match(
      project.check(wrong, { allowImportingTsExtensions: true, types: ['node'] }),
      /hook\.ts.*'picture' does not exist/,
    );
  });
});

test('the hook in the guide compiles, with what `metactl init` writes', () => {
  const guide = readFileSync(join(import.meta.dirname, '../docs/guide/write-a-controller.md'), 'utf8');
  const [, hook = ''] = /```ts\n([^`]*)```/.exec(guide) ?? [];
  const made = scaffoldFiles({ kind: 'composite', name: 'web-app', language: 'ts', group: 'example.com' });
  const [, own = ''] = /^(function deployment(?:.|\n)+)$/m.exec(made.get('hook.ts') ?? '') ?? [];
  const files = {
    'hook.ts': `${hook}\n${own.replace('}: Parent)', '}: WebApp)')}`,
    'types.ts': made.get('types.ts') ?? '',
  };
  assert.equal(project.check(files, { allowImportingTsExtensions: true }), '');
});
