// What users get wrong, and what they are told. The guillemets mark where the caret excerpt must point.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryFiles } from '../testing/memory-files.ts';
import { loadInputs } from './index.ts';

/** A valid definition; each case replaces some of its lines, found by their first word. */
const BASE = `apiVersion: metacontroller.k8s.io/v1alpha1
kind: CompositeController
metadata:
  name: catset
spec:
  parentResource:
    apiVersion: ctl.example.com/v1
    resource: catsets
  childResources:
  - apiVersion: v1
    resource: pods
    updateStrategy:
      method: Recreate
  hooks:
    sync:
      webhook:
        url: http://hook.ns/sync
`;

interface Case {
  readonly name: string;
  /** Replaced text in BASE → its replacement. */
  readonly edit: readonly [string, string];
  /** Severity is error unless the code begins with "warning ". */
  readonly code: string;
  readonly summary: RegExp;
  readonly hint: RegExp;
  /** Code of a second, harmless diagnostic. */
  readonly also?: string;
}

const SYNC = '      webhook:\n        url: http://hook.ns/sync\n';
const sync = (text: string): readonly [string, string] => [SYNC, text];
const parent = (text: string): readonly [string, string] => [
  '    resource: catsets\n',
  `    resource: catsets\n${text}`,
];
const selector = (text: string): readonly [string, string] => parent(`    labelSelector:\n${text}`);
const spec = (text: string): readonly [string, string] => ['spec:\n', `spec:\n${text}`];
const strategy = (text: string): readonly [string, string] => ['      method: Recreate\n', text];

// biome-ignore format: one case a line
const CASES: readonly Case[] = [
  // unknown and missing fields
  { name: 'typo in a field', edit: ['    resource: catsets', '    «resourse»: catsets'], code: 'unknown-field', summary: /^Unknown field spec.parentResource.resourse$/, hint: /Did you mean "resource"\?/ },
  { name: 'typo at the top', edit: ['spec:\n', '«sepc»: {}\nspec:\n'], code: 'unknown-field', summary: /^Unknown field sepc/, hint: /Did you mean "spec"/ },
  { name: 'typo in a list item', edit: ['    updateStrategy:', '    «updateStrategie»:'], code: 'unknown-field', summary: /spec\.childResources\[0\]\.updateStrategie/, hint: /"updateStrategy"/ },
  { name: 'typo in a hook kind', edit: ['      webhook:', '      «webhok»:'], code: 'unknown-field', summary: /hooks\.sync\.webhok/, hint: /"webhook"/ },
  { name: 'typo in a hook name', edit: ['    sync:', '    «synk»:'], code: 'unknown-field', summary: /hooks\.synk/, hint: /"sync"/ },
  { name: 'a field nobody knows', edit: spec('  «colour»: red\n'), code: 'unknown-field', summary: /spec\.colour/, hint: /Known here: parentResource, childResources/ },
  { name: 'timeout one level too high', edit: ['      webhook:', '      «timeout»: 3s\n      webhook:'], code: 'unknown-field', summary: /hooks\.sync\.timeout/, hint: /^It belongs in spec\.hooks\.sync\.webhook\.$/ },
  { name: 'version one level too deep', edit: ['        url:', '        «version»: v2\n        url:'], code: 'unknown-field', summary: /webhook\.version/, hint: /^It belongs in spec\.hooks\.sync\.$/ },
  { name: 'sideEffects in exec', edit: sync('      exec: {command: [x], «sideEffects»: None}\n'), code: 'unknown-field', summary: /exec\.sideEffects/, hint: /It belongs in spec\.hooks\.sync\./ },
  { name: 'method without updateStrategy', edit: ['    updateStrategy:\n      method: Recreate', '    «method»: Recreate'], code: 'unknown-field', summary: /childResources\[0\]\.method/, hint: /It belongs in spec\.childResources\[0\]\.updateStrategy/ },
  { name: 'no name', edit: ['metadata:\n  name: catset', '«metadata»: {}'], code: 'missing-field', summary: /metadata has no name/, hint: /"name: my-controller"/ },
  { name: 'generateName only', edit: ['metadata:\n  name: catset', '«metadata»:\n  generateName: c-'], code: 'missing-field', summary: /metadata has no name/, hint: /Add/ },
  { name: 'no parent', edit: ['spec:\n  parentResource:\n    apiVersion: ctl.example.com/v1\n    resource: catsets\n', '«spec»:\n'], code: 'missing-field', summary: /spec has no parentResource/, hint: /Add/ },
  { name: 'no resource', edit: ['  parentResource:\n    apiVersion: ctl.example.com/v1\n    resource: catsets\n', '  «parentResource»:\n    apiVersion: a.b/v1\n'], code: 'missing-field', summary: /spec\.parentResource has no resource/, hint: /"resource: deployments"/ },
  { name: 'no hooks', edit: [BASE.slice(BASE.indexOf('spec:')), '«spec»:\n  parentResource: {apiVersion: a.b/v1, resource: cs}\n'], code: 'missing-field', summary: /spec has no hooks/, hint: /Add/ },
  { name: 'no sync hook', edit: [`  hooks:\n    sync:\n${SYNC}`, '  «hooks»: {}\n'], code: 'missing-field', summary: /spec\.hooks has no sync/, hint: /webhook/ },
  { name: 'an empty hook', edit: [`    sync:\n${SYNC}`, '    «sync»: {}\n'], code: 'missing-field', summary: /The hook sync says nowhere what to call/, hint: /webhook, exec, module/ },
  { name: 'a webhook without target', edit: sync('      «webhook»: {timeout: 1s}\n'), code: 'missing-field', summary: /The webhook has no url/, hint: /url: http/ },
  { name: 'a service without path', edit: sync('      «webhook»: {service: {name: a, namespace: b}}\n'), code: 'missing-field', summary: /The webhook has no path/, hint: /path: \/sync/ },
  { name: 'a path without service', edit: sync('      «webhook»: {path: /sync}\n'), code: 'missing-field', summary: /The webhook has no service/, hint: /service:/ },
  { name: 'In without values', edit: selector('      matchExpressions:\n      - «k»ey: a\n        operator: In\n'), code: 'missing-field', summary: /In needs at least one value/, hint: /values:/ },
  // wrong types
  { name: 'a hook with nothing in it', edit: [`    sync:\n${SYNC}`, '    «sync»:\n'], code: 'wrong-type', summary: /hooks\.sync must be a map of fields; it is empty/, hint: /indented/ },
  { name: 'a quoted number', edit: spec('  resyncPeriodSeconds: «"10"»\n'), code: 'wrong-type', summary: /must be a whole number; it is the text "10"/, hint: /10 without quotes/ },
  { name: 'a fraction', edit: spec('  resyncPeriodSeconds: «1.5»\n'), code: 'wrong-type', summary: /must be a whole number; it is the number 1\.5/, hint: /whole number/ },
  { name: 'a very long number', edit: spec('  resyncPeriodSeconds: «9007199254740993»\n'), code: 'wrong-type', summary: /9007199254740993/, hint: /./ },
  { name: 'a quoted boolean', edit: spec('  generateSelector: «"true"»\n'), code: 'wrong-type', summary: /must be true or false/, hint: /without quotes/ },
  { name: 'a condition status that YAML took for a boolean', edit: strategy('      method: Recreate\n      statusChecks: {conditions: [{type: Ready, status: «True»}]}\n'), code: 'wrong-type', summary: /status must be a text; it is true/, hint: /status: "True"/, also: 'ineffective' },
  { name: 'a number as timeout', edit: ['        url:', '        timeout: «10»\n        url:'], code: 'wrong-type', summary: /timeout must be a text/, hint: /"10s"/ },
  { name: 'a number in env', edit: sync('      exec: {command: [x], env: {PORT: «8080»}}\n'), code: 'wrong-type', summary: /env\.PORT must be a text/, hint: /"8080"/ },
  { name: 'a command as text', edit: sync('      exec: {command: «python3 hook.py»}\n'), code: 'wrong-type', summary: /command must be a list/, hint: /Write a list: command: \["python3", "hook\.py"\]/ },
  { name: 'a map where a list belongs', edit: ['  childResources:\n  - apiVersion: v1\n    resource: pods\n    updateStrategy:\n      method: Recreate\n', '  «childResources»:\n    apiVersion: v1\n    resource: pods\n'], code: 'wrong-type', summary: /childResources must be a list; it is a map/, hint: /list/ },
  { name: 'a text where a map belongs', edit: sync('      webhook: «http://hook»\n'), code: 'wrong-type', summary: /webhook must be a map of fields/, hint: /Fields: url, path/ },
  { name: 'a label that is a number', edit: selector('      matchLabels: {tier: «1»}\n'), code: 'wrong-type', summary: /matchLabels\.tier must be a text/, hint: /tier: "1"/ },
  { name: 'spec is a list', edit: [BASE.slice(BASE.indexOf('spec:')), '«spec»: []\n'], code: 'wrong-type', summary: /spec must be a map of fields; it is a list/, hint: /Fields: parentResource/ },
  // values
  { name: 'a method in the wrong case', edit: strategy('      method: «recreate»\n'), code: 'invalid-value', summary: /method can not be "recreate"/, hint: /Did you mean "Recreate"/ },
  { name: 'a method that is none', edit: strategy('      method: «Sometimes»\n'), code: 'invalid-value', summary: /can not be "Sometimes"/, hint: /OnDelete, Recreate, InPlace/ },
  { name: 'a hook version', edit: ['      webhook:', '      version: «v3»\n      webhook:'], code: 'invalid-value', summary: /version can not be "v3"/, hint: /"v1"/ },
  { name: 'sideEffects', edit: ['      webhook:', '      sideEffects: «none»\n      webhook:'], code: 'invalid-value', summary: /sideEffects can not be "none"/, hint: /"None"/ },
  { name: 'responseUnMarshallMode', edit: ['        url:', '        responseUnMarshallMode: «Strict»\n        url:'], code: 'invalid-value', summary: /can not be "Strict"/, hint: /"strict"/ },
  { name: 'exec mode', edit: sync('      exec: {command: [x], mode: «streaming»}\n'), code: 'invalid-value', summary: /mode can not be "streaming"/, hint: /once, stream|"stream"/ },
  { name: 'service protocol', edit: sync('      webhook: {path: /s, service: {name: a, namespace: b, protocol: «HTTPS»}}\n'), code: 'invalid-value', summary: /protocol can not be "HTTPS"/, hint: /"https"/ },
  { name: 'service port', edit: sync('      webhook: {path: /s, service: {name: a, namespace: b, port: «70000»}}\n'), code: 'invalid-value', summary: /port is 70000; the largest is 65535/, hint: /smaller/ },
  { name: 'a negative resync', edit: spec('  resyncPeriodSeconds: «-5»\n'), code: 'invalid-value', summary: /is -5; the smallest is 0/, hint: /larger/ },
  { name: 'a selector operator', edit: selector('      matchExpressions: [{key: a, operator: «in», values: [b]}]\n'), code: 'invalid-value', summary: /operator can not be "in"/, hint: /"In"/ },
  { name: 'an upper-case name', edit: ['  name: catset', '  name: «CatSet_x»'], code: 'invalid-value', summary: /"CatSet_x" is not one that Kubernetes accepts/, hint: /"catset-x"/ },
  { name: 'an empty name', edit: ['  name: catset', '  name: «""»'], code: 'invalid-value', summary: /metadata\.name is empty/, hint: /my-controller/ },
  { name: 'an empty command', edit: sync('      exec: {«command»: []}\n'), code: 'invalid-value', summary: /command is empty/, hint: /python3/ },
  { name: 'a command without program', edit: sync('      exec: {command: [«""»]}\n'), code: 'invalid-value', summary: /no program/, hint: /python3/ },
  { name: 'a command in one word', edit: sync('      exec: {command: [«python3 hook.py»]}\n'), code: 'invalid-value', summary: /no shell splits it/, hint: /\[python3, hook\.py\]/ },
  { name: 'an environment name', edit: sync('      exec: {command: [x], env: {«"A B"»: c}}\n'), code: 'invalid-value', summary: /"A B" can not be the name/, hint: /letters/ },
  { name: 'a Python module', edit: sync('      module: {path: «./hook.py»}\n'), code: 'invalid-value', summary: /not a JavaScript or TypeScript file/, hint: /exec/ },
  { name: 'a timeout without unit', edit: ['        url:', '        timeout: «"10"»\n        url:'], code: 'invalid-value', summary: /"10" is not a duration/, hint: /"10s"/ },
  { name: 'a timeout in words', edit: ['        url:', '        timeout: «10 seconds»\n        url:'], code: 'invalid-value', summary: /is not a duration/, hint: /"1m30s"/ },
  { name: 'a URL without scheme', edit: ['http://hook.ns/sync', '«hook.ns:8080/sync»'], code: 'invalid-value', summary: /is not an absolute http or https URL/, hint: /"http:\/\/hook\.ns:8080\/sync"/ },
  { name: 'a URL of another scheme', edit: ['http://hook.ns/sync', '«ftp://hook.ns/sync»'], code: 'invalid-value', summary: /ftp:/, hint: /Only http/ },
  { name: 'a relative path', edit: sync('      webhook: {path: «sync», service: {name: a, namespace: b}}\n'), code: 'invalid-value', summary: /does not start with "\/"/, hint: /"\/sync"/ },
  { name: 'a service name', edit: sync('      webhook: {path: /s, service: {name: «a.b», namespace: c}}\n'), code: 'invalid-value', summary: /"a\.b" can not be the name of a Service/, hint: /Lower case/ },
  { name: 'a kind for a resource', edit: ['    resource: pods', '    resource: «NetworkPolicy»'], code: 'invalid-value', summary: /"NetworkPolicy" is not a resource name/, hint: /"networkpolicies"/ },
  { name: 'a resource with its group', edit: ['    resource: catsets', '    resource: «catsets.ctl.example.com»'], code: 'invalid-value', summary: /is not a resource name/, hint: /"catsets"; the group belongs in apiVersion/ },
  { name: 'a subresource', edit: ['    resource: pods', '    resource: «pods/status»'], code: 'invalid-value', summary: /is not a resource name/, hint: /"pods"/ },
  { name: 'the core group by name', edit: ['  - apiVersion: v1', '  - apiVersion: «core/v1»'], code: 'invalid-value', summary: /is not an API group and version/, hint: /"v1" for the core group/ },
  { name: 'a group without version', edit: ['  - apiVersion: v1', '  - apiVersion: «apps»'], code: 'invalid-value', summary: /is not an API group and version/, hint: /"apps\/v1"/ },
  { name: 'a label key', edit: selector('      matchLabels: {«"a b"»: c}\n'), code: 'invalid-value', summary: /"a b" is not a label key/, hint: /63/ },
  { name: 'a label value', edit: selector('      matchLabels: {a: «b c»}\n'), code: 'invalid-value', summary: /"b c" is not a label value/, hint: /63/ },
  { name: 'an old API version', edit: ['metacontroller.k8s.io/v1alpha1', '«metacontroller.k8s.io/v1beta1»'], code: 'invalid-value', summary: /v1beta1/, hint: /v1alpha1/ },
  { name: 'a group of another name', edit: ['metacontroller.k8s.io/v1alpha1', '«metacontroller.io/v1alpha1»'], code: 'invalid-value', summary: /not a kind of "metacontroller.io/, hint: /metacontroller\.k8s\.io\/v1alpha1/ },
  { name: 'a typo in the kind', edit: ['kind: CompositeController', 'kind: «CompositController»'], code: 'invalid-value', summary: /CompositController/, hint: /"CompositeController"/ },
  // contradictions
  { name: 'two hook kinds', edit: sync('      webhook: {url: http://x}\n      «exec»: {command: [x]}\n'), code: 'conflicting-fields', summary: /webhook and exec; it can have only one/, hint: /Keep/ },
  { name: 'Exists with values', edit: selector('      matchExpressions: [{key: a, operator: Exists, «values»: [b]}]\n'), code: 'conflicting-fields', summary: /Exists takes no values/, hint: /Remove/ },
  { name: 'a child resource twice', edit: ['  - apiVersion: v1\n', '  - {apiVersion: v1, resource: pods}\n  - apiVersion: v1\n'], code: 'conflicting-fields', summary: /"pods" is declared twice/, hint: /Keep one/ },
  { name: 'the parent as its own child', edit: ['  - apiVersion: v1\n', '  - {apiVersion: ctl.example.com/v2, resource: «catsets»}\n  - apiVersion: v1\n'], code: 'warning conflicting-fields', summary: /also a child resource/, hint: /stops/ },
  { name: 'a bearer token and basic authentication', edit: ['        url:', '        authorization: {secretRef: {name: a, namespace: b, key: c}}\n        «basicAuth»: {secretRef: {name: a, namespace: b}}\n        url:'], code: 'conflicting-fields', summary: /Both authorization and basicAuth/, hint: /Keep the one/ },
  { name: 'two sources of certificates', edit: ['        url: http:', '        caBundle: {secretRef: {name: a, namespace: b}, «configMapRef»: {name: a, namespace: b}}\n        url: https:'], code: 'conflicting-fields', summary: /secretRef and configMapRef; it can have only one/, hint: /Keep one/ },
  { name: 'no source of certificates', edit: ['        url: http:', '        «caBundle»: {}\n        url: https:'], code: 'missing-field', summary: /says nowhere where the certificates are/, hint: /inline, secretRef, configMapRef/ },
  { name: 'a file name for certificates', edit: ['        url: http:', '        caBundle: {inline: «./ca.crt»}\n        url: https:'], code: 'invalid-value', summary: /no certificates that can be read/, hint: /BEGIN CERTIFICATE/ },
  { name: 'a Secret without its namespace', edit: ['        url:', '        basicAuth: {«secretRef»: {name: a}}\n        url:'], code: 'missing-field', summary: /secretRef has no namespace/, hint: /"namespace: my-namespace"/ },
  { name: 'a token without its key', edit: ['        url:', '        authorization: {«secretRef»: {name: a, namespace: b}}\n        url:'], code: 'missing-field', summary: /secretRef has no key/, hint: /"key: token"/ },
  { name: 'a client certificate without a Secret', edit: ['        url: http:', '        «clientTLS»: {certKey: a}\n        url: https:'], code: 'missing-field', summary: /clientTLS has no secretRef/, hint: /Add secretRef/ },
  { name: 'the type basic', edit: ['        url:', '        authorization: {type: «Basic», secretRef: {name: a, namespace: b, key: c}}\n        url:'], code: 'invalid-value', summary: /can not be of the type basic/, hint: /Use basicAuth/ },
  { name: 'a url for a host', edit: spec('  endpointConfigs: [{host: «"http://hook.ns/sync"»}]\n'), code: 'invalid-value', summary: /is not a host/, hint: /Write "hook\.ns"/ },
  { name: 'etag as the book spells it', edit: ['        url:', '        etag: {enabled: true, «CacheTimeoutSeconds»: 5}\n        url:'], code: 'unknown-field', summary: /CacheTimeoutSeconds/, hint: /"cacheTimeoutSeconds"/ },
  // without effect
  { name: 'etag that is not enabled', edit: ['        url:', '        «etag»: {cacheTimeoutSeconds: 5}\n        url:'], code: 'warning ineffective', summary: /etag has no effect/, hint: /enabled: true/ },
  { name: 'TLS without https', edit: ['        url:', '        «clientTLS»: {secretRef: {name: a, namespace: b}}\n        url:'], code: 'warning ineffective', summary: /clientTLS has no effect/, hint: /https:/ },
  { name: 'an endpoint of no hook', edit: spec('  endpointConfigs: [{host: «hook.elsewhere», basicAuth: {secretRef: {name: a, namespace: b}}}]\n'), code: 'warning ineffective', summary: /endpoint config of "hook\.elsewhere" has no effect/, hint: /correct the host/ },
  { name: 'statusChecks without rolling', edit: strategy('      «statusChecks»: {conditions: [{type: Ready}]}\n'), code: 'warning ineffective', summary: /no effect with the method OnDelete/, hint: /RollingInPlace/ },
  { name: 'revisionHistory without rolling', edit: parent('    «revisionHistory»: {fieldPaths: [spec]}\n'), code: 'warning ineffective', summary: /revisionHistory has no effect/, hint: /Remove it/ },
  { name: 'a zero timeout', edit: ['        url:', '        timeout: «0s»\n        url:'], code: 'warning ineffective', summary: /default of 10s/, hint: /remove it/ },
  { name: 'a URL and a path', edit: ['        url:', '        «path»: /sync\n        url:'], code: 'warning ineffective', summary: /webhook\.path has no effect/, hint: /Remove path/ },
  { name: 'preUpdateChild', edit: ['  hooks:\n', '  hooks:\n    «preUpdateChild»: {webhook: {url: http://x}}\n'], code: 'warning ineffective', summary: /preUpdateChild has no effect/, hint: /Remove/ },
  { name: 'a namespace', edit: ['  name: catset', '  name: catset\n  namespace: «default»'], code: 'warning ineffective', summary: /cluster-scoped/, hint: /Remove/ },
  // later issues
  { name: 'a conflict rule without a word for what to do', edit: spec('  apply: {mode: server-side, conflicts: [{path: spec.replicas, action: «skip»}]}\n'), code: 'invalid-value', summary: /action/, hint: /ignore, force, fail/ },
  { name: 'a kind of our own group', edit: ['apiVersion: metacontroller.k8s.io/v1alpha1\nkind: CompositeController', 'apiVersion: metactl.dev/v1alpha1\nkind: «Component»'], code: 'unsupported', summary: /Component of metactl.dev/, hint: /Remove/ },
];

function place(text: string): { yaml: string; at?: string } {
  const yaml = text.replaceAll(/[«»]/g, '');
  const start = text.indexOf('«');
  if (start < 0) return { yaml };
  const line = text.slice(0, start).split('\n');
  const column = (line.at(-1)?.length ?? 0) + 1;
  return { yaml, at: `${line.length}:${column}-${column + text.indexOf('»') - start - 1}` };
}

async function problemsOf(yaml: string) {
  const { definitions, diagnostics } = await loadInputs({
    paths: ['d.yaml'],
    files: createMemoryFiles({ 'd.yaml': yaml }),
  });
  return { definitions, diagnostics };
}

test('the definition that the cases start from has no problem', async () => {
  const { definitions, diagnostics } = await problemsOf(BASE);
  assert.deepEqual(diagnostics, []);
  assert.equal(definitions.length, 1);
});

for (const { name, edit, code, summary, hint, also } of CASES) {
  test(`bad definition: ${name}`, async () => {
    assert.ok(BASE.includes(edit[0]), 'the case edits a part of BASE');
    const { yaml, at } = place(BASE.replace(edit[0], () => edit[1]));
    const { definitions, diagnostics: all } = await problemsOf(yaml);
    const diagnostics = all.filter((diagnostic) => diagnostic.code !== also);
    assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics, null, 1));
    const [problem] = diagnostics;
    assert.equal(problem?.severity === 'warning' ? `warning ${problem.code}` : problem?.code, code);
    assert.match(problem?.summary ?? '', summary);
    assert.match(problem?.hint ?? '', hint);
    const { file, line, column, endColumn, lineText } = problem?.source ?? {};
    if (at) assert.equal(`${line}:${column}-${endColumn}`, at);
    assert.equal(file, 'd.yaml');
    assert.equal(lineText, yaml.split('\n')[(line ?? 0) - 1]);
    assert.equal(definitions.length, problem?.severity === 'warning' ? 1 : 0);
  });
}
