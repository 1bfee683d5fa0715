import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { testEnvironment } from '../testing/use-cases.ts';
import { makeTypes } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'metactl-make-types-'));
after(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  names: {kind: Web, plural: webs}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                image: {type: string}
`;

describe('problems have their places', () => {
  const cases: { name: string; text: string; place: string; says: RegExp }[] = [
    { name: 'bad YAML', text: CRD.replace('names: {', 'names: {{'), place: ':7:3', says: /./ },
    { name: 'a type', text: CRD.replace('{type: string}', '{type: text}'), place: ':19:31', says: /no type "text"/ },
    {
      name: 'in the second document',
      text: `${CRD}---\n${CRD.replace('group: example.com', 'group: 5')}`,
      place: ':25:10',
      says: /spec.group must be a text/,
    },
    { name: 'an old CRD', text: CRD.replace('k8s.io/v1', 'k8s.io/v1beta1'), place: ':1:13', says: /can not be read/ },
    {
      name: 'no schema',
      text: CRD.slice(0, CRD.indexOf('      schema:')),
      place: ':9:',
      says: /Version v1 has no schema/,
    },
  ];
  for (const { name, text, place, says } of cases)
    test(name, async () => {
      const path = file(`${name.replaceAll(' ', '-')}.yaml`, text);
      const outcome = await makeTypes({ paths: [path] }, testEnvironment);
      assert.equal(outcome.text, undefined);
      const [first] = outcome.diagnostics;
      assert.match(first?.summary ?? '', says);
      const { file: where, line, column } = first?.source ?? {};
      assert.ok(`${where}:${line}:${column}`.startsWith(path + place), `${where}:${line}:${column}`);
    });
});

describe('nothing to write', () => {
  const cases: { name: string; text: string; version?: string; says: RegExp }[] = [
    {
      name: 'no CRD',
      text: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n',
      says: /no CustomResourceDefinition/,
    },
    { name: 'no such version', text: CRD, version: 'v2', says: /has a version v2/ },
    { name: 'none is served', text: CRD.replace('served: true', 'served: false'), says: /No version is served/ },
    { name: 'nothing at all', text: '', says: /no CustomResourceDefinition/ },
  ];
  for (const { name, text, version, says } of cases)
    test(name, async () => {
      const path = file('nothing.yaml', text);
      const outcome = await makeTypes({ paths: [path], ...(version ? { version } : {}) }, testEnvironment);
      assert.equal(outcome.text, undefined);
      assert.match(outcome.diagnostics.map(({ summary }) => summary).join(), says);
    });
});

test('a list as kubectl get -o yaml prints it, and other objects beside it', async () => {
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }],
  };
  const paths = [file('list.json', JSON.stringify(list)), file('crd.yaml', CRD)];
  const { text, diagnostics } = await makeTypes({ paths }, testEnvironment);
  assert.deepEqual(diagnostics, []);
  assert.match(text ?? '', /export interface WebSpec \{\n {2}image\?: string;\n\}/);
});

test('a file that was not made so is not replaced', async () => {
  const paths = [file('crd.yaml', CRD)];
  const { text = '' } = await makeTypes({ paths, target: join(directory, 'new.ts') }, testEnvironment);
  const made = file('made.ts', text.replace('image', 'old'));
  assert.equal((await makeTypes({ paths, target: made }, testEnvironment)).text, text);
  const hook = file('sync.ts', 'export const sync = () => ({});\n');
  const refused = await makeTypes({ paths, target: hook }, testEnvironment);
  assert.equal(refused.text, undefined);
  assert.match(refused.diagnostics[0]?.summary ?? '', /sync\.ts was not made by metactl types/);
});

test('every CRD of ours and of the examples', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync(['examples/**/*.yaml', 'deploy/crds/*.yaml'], { cwd: root }).map((path) => join(root, path));
  assert.ok(files.every((path) => existsSync(path)));
  const { text, diagnostics } = await makeTypes({ paths: files }, testEnvironment);
  assert.deepEqual(diagnostics, []);
  for (const kind of ['CatSet', 'SnapshotSchedule', 'MapController'])
    assert.match(text ?? '', new RegExp(`interface ${kind} `));
});
