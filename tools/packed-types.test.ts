// The types as a user gets them, without our sources and our dependencies: declarations in node_modules/metactl, his own tsconfig.json.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TypedProject, typedProject } from '../src/testing/typed-project.ts';

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
