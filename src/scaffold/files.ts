// A controller's directory as texts: what all kinds and languages share, around the template of the kind.

import { parse } from 'yaml';
import type { JsonObject } from '../kit/json.ts';
import { typesOfCrds } from '../typescript/index.ts';
import { compositeTemplate } from './composite.ts';
import { decoratorTemplate } from './decorator.ts';
import { mapTemplate } from './map.ts';
import { type ControllerKindName, type Language, namesOf, type ScaffoldOptions } from './names.ts';
import type { MakeTemplate, Template } from './template.ts';

const TEMPLATES: Readonly<Record<ControllerKindName, { readonly kind: string; readonly make: MakeTemplate }>> = {
  composite: { kind: 'CompositeController', make: compositeTemplate },
  decorator: { kind: 'DecoratorController', make: decoratorTemplate },
  map: { kind: 'MapController', make: mapTemplate },
};

/** Texts by path, in the order in which they are to be read. Name and group must be sound. */
export function scaffoldFiles(options: ScaffoldOptions): ReadonlyMap<string, string> {
  const { language, kind } = options;
  const names = namesOf(options);
  const { make } = TEMPLATES[kind];
  const { crd } = make(names, names.kind);
  const types = crd === undefined || language !== 'ts' ? undefined : typesOfCrds([parse(crd) as JsonObject]);
  const template = make(names, types?.names[0] ?? names.kind);
  const files: Record<string, string | undefined> = {
    'README.md': readme(options, template),
    'crd.yaml': crd,
    'controller.yaml': definition(options, template),
    ...template.code[language],
    'types.ts': types?.text,
    'parent.yaml': template.parent,
    ...SETTINGS[language],
    '.gitignore': ['.sandbox/', ...(language === 'python' ? ['__pycache__/'] : []), ''].join('\n'),
  };
  return new Map(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function definition({ kind, name, language }: ScaffoldOptions, { purpose, spec, hook }: Template): string {
  return `# ${purpose}
apiVersion: metacontroller.k8s.io/v1alpha1
kind: ${TEMPLATES[kind].kind}
metadata:
  name: ${name}-controller
spec:
${spec}  hooks:
    ${hook}:
${HOOKS[language]}`;
}

const HOOKS: Readonly<Record<Language, string>> = {
  ts: '      module:\n        path: ./hook.ts\n',
  js: '      module:\n        path: ./hook.js\n',
  python: '      exec:\n        command: [python3, hook.py]\n',
  jsonnet: '      jsonnet:\n        path: ./hook.jsonnet\n',
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const SETTINGS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  ts: {
    'package.json': json({ private: true, type: 'module', scripts: { test: 'node --test' } }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
      },
      // They need @types/node.
      exclude: ['*.test.ts', 'node_modules'],
    }),
  },
  js: { 'package.json': json({ private: true, type: 'module', scripts: { test: 'node --test' } }) },
  python: {},
  jsonnet: {},
};

const TESTS: Readonly<Record<Language, string | undefined>> = {
  ts: 'node --test',
  js: 'node --test',
  python: 'python3 -m unittest',
  jsonnet: undefined,
};

const FILES: readonly (readonly [name: string, what: string])[] = [
  ['controller.yaml', 'which resources it is about, and where the hook is'],
  ['hook.ts', 'the hook, in TypeScript'],
  ['hook.js', 'the hook, in JavaScript'],
  ['hook.py', 'the hook, a Python program: one request on standard input, one answer on standard output'],
  ['hook.jsonnet', 'the hook, in Jsonnet'],
  ['hook.test.ts', 'its test'],
  ['hook.test.js', 'its test'],
  ['test_hook.py', 'its test'],
];

function readme({ name, kind, language }: ScaffoldOptions, template: Template): string {
  const { code, crd, parentIs, purpose, next, hook } = template;
  const kindName = /kind: (\w+)\n {4}plural/.exec(crd ?? '')?.[1] ?? '';
  const hasTypes = crd !== undefined && language === 'ts';
  const rows = [
    ...(crd === undefined ? [] : [['crd.yaml', `the kind \`${kindName}\``] as const]),
    ...FILES.filter(([file]) => file === 'controller.yaml' || file in code[language]),
    ...(hasTypes ? [['types.ts', `the type of \`${kindName}\`, made of \`crd.yaml\``] as const] : []),
    ['parent.yaml', parentIs] as const,
  ].map(([file, what]) => `| \`${file}\` | ${what} |`);
  const test = TESTS[language];
  const parts = [
    `# ${name}`,
    purpose,
    ['| file | what it is |', '| --- | --- |', ...rows].join('\n'),
    `In this directory, on the sandbox (an API server inside metactl; no cluster is touched):`,
    block(['metactl plan -f . --sandbox-dir .sandbox', 'metactl apply -f . --sandbox-dir .sandbox --yes']),
    `${next} Change the hook and plan again: it is read afresh. Without \`--sandbox-dir\` the commands work on the cluster of your kubeconfig;
\`metactl watch -f .\` plans whenever a file or the cluster changes.`,
    ...(test === undefined ? [] : [`The ${hook} hook is a function, and can be tested as one:`, block([test])]),
    ...(hasTypes
      ? ['After a change of `crd.yaml` make the types again:', block(['metactl types -f crd.yaml -o types.ts'])]
      : []),
    ...(language === 'ts' || language === 'js' ? [TYPES_NOTE] : []),
    `All fields of the definition are in metactl's docs/reference/definitions.md, requests and answers of a ${TEMPLATES[kind].kind}'s hooks in
docs/formats/hook-payload.md.`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const TYPES_NOTE = `The hook takes nothing but types from \`metactl\`, so it runs where the package is not installed. For an editor that knows them, and for \`tsc\`, put the
package here: \`npm link metactl\` where it is installed globally. A hook that metactl runs may also import functions from it (\`childrenOf\`, \`condition\`), wherever it lies.`;

const block = (lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n');
