// node tools/generate/sandbox-internal-types.ts KUBERNETES VERSION: writes src/sandbox/generated/internal-types.ts, the fields of
// the structs that kube-apiserver works on inside and shows in some of its messages. KUBERNETES is the directory of the Go module
// k8s.io/kubernetes; only names and types of fields are taken from it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What messages show; everything below them follows. */
const ROOTS = [
  'core.PodTemplateSpec',
  'core.PersistentVolumeClaimSpec',
  'core.PersistentVolumeSource',
  'core.ServicePort',
  'core.Taint',
  'apps.StatefulSetUpdateStrategy',
  'apps.DaemonSetUpdateStrategy',
  'policy.PodDisruptionBudgetSpec',
  'rbac.RoleRef',
];
const GROUPS = ['core', 'apps', 'policy', 'rbac'];
/** Structs of other packages, which have JSON names of their own: shown as they are sent. */
const SENT = /^(metav1\.|resource\.|intstr\.)/;
const PLAIN = /^(types\.UID|string|bool|u?int(8|16|32|64)?|float64|byte)$/;

type Struct = readonly (readonly [name: string, type: string])[];

function readTypes(directory: string): { structs: Map<string, Struct>; named: Map<string, string> } {
  const structs = new Map<string, Struct>();
  const named = new Map<string, string>();
  for (const group of GROUPS) {
    const text = readFileSync(join(directory, 'pkg/apis', group, 'types.go'), 'utf8').replaceAll(/\/\/.*$/gm, '');
    const qualified = (type: string): string =>
      type.replace(/(^|[*\]])([A-Z]\w*)$/, (_whole, before: string, name: string) => `${before}${group}.${name}`);
    for (const [, name, body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const lines = body
        .split('\n')
        .flatMap((line) => ((/^\t([\w.]+)(?:\s+([^\s`]+))?/.exec(line) ?? []) ? [line] : []));
      structs.set(
        `${group}.${name}`,
        lines.flatMap((line) => fieldOf(line, qualified)),
      );
    }
    for (const [, name, type = ''] of text.matchAll(/^type (\w+) ((?!struct)[^\s]+)/gm)) {
      named.set(`${group}.${name}`, qualified(type.replace(/^api\./, 'core.')));
    }
  }
  return { structs, named };
}

function fieldOf(line: string, qualified: (type: string) => string): [string, string][] {
  const [, name = '', type] = /^\t([\w.]+)(?:\s+([^\s`]+))?/.exec(line) ?? [];
  if (name === '') return [];
  const core = (text: string): string => text.replace('api.', 'core.');
  return type === undefined ? [['', core(qualified(name))]] : [[name, core(qualified(type))]];
}

/** "Name:o" with o the zero value; or "Name:z:type", a struct that is written also when empty. */
function fieldText(name: string, type: string, types: ReturnType<typeof readTypes>): string {
  const known = (text: string): string => (types.structs.has(text) ? `:${text}` : '');
  const inner = type.replace(/^[*[\]]+/, '');
  if (/^\*|^\[\]/.test(type)) return `${name}:n${known(inner)}`;
  if (type.startsWith('map[')) return `${name}:n`;
  if (types.structs.has(type)) return `${name}:z:${type}`;
  const plain = types.named.get(type) ?? type;
  if (plain.startsWith('map[') || plain.startsWith('[]')) return `${name}:n`;
  if (SENT.test(plain)) return `${name}:${zeroOfSent(plain)}`;
  if (!PLAIN.test(plain)) throw new Error(`${name} ${type}: what is ${plain}?`);
  return `${name}:${/^(string|types\.UID)$/.test(plain) ? 's' : plain === 'bool' ? 'b' : 'i'}`;
}

const zeroOfSent = (type: string): string =>
  type === 'intstr.IntOrString' ? 'i' : type === 'resource.Quantity' ? 'q' : 'n';

function main([directory, version]: readonly string[]): void {
  if (!directory || !version) throw new Error('usage: sandbox-internal-types.ts KUBERNETES VERSION');
  const types = readTypes(directory);
  const lines = new Map<string, string>();
  const visit = (type: string): void => {
    const struct = types.structs.get(type);
    if (!struct || lines.has(type)) return;
    lines.set(type, struct.map(([name, inner]) => fieldText(name, inner, types)).join(' '));
    for (const [, inner] of struct) visit(inner.replace(/^[*[\]]+/, ''));
  };
  for (const root of ROOTS) visit(root);
  const text = [
    `// Made by tools/generate/sandbox-internal-types.ts from the Go types of Kubernetes ${version}. Not edited by hand.`,
    '/** Type → "Name:zero:type …": zero n null, s "", b false, i 0, q "0", z the struct itself; no name: embedded. */',
    'export const INTERNAL_TYPES: Readonly<Record<string, string>> = {',
    ...[...lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, fields]) => `  ${JSON.stringify(type)}: ${JSON.stringify(fields)},`),
    '};',
    '',
  ].join('\n');
  writeFileSync(join(import.meta.dirname, '../../src/sandbox/generated/internal-types.ts'), text);
  console.log(`${lines.size} types, ${text.length} bytes`);
}

main(process.argv.slice(2));
