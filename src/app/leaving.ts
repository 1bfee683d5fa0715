// Controllers that go, from files or from the cluster.

import { isJsonArray, isJsonObject, type JsonValue } from '../kit/json.ts';
import { type Definition, parentRulesOf, type ResourceRule } from '../model/definition.ts';
import { DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import { CONTROLLER_RESOURCES } from './cluster-definitions.ts';
import type { World } from './open.ts';
import type { AppEnvironment } from './options.ts';

/** What of a definition matters when it goes: it need not be one that this version could carry out. */
export interface Leaving extends Pick<Definition, 'kind' | 'name'> {
  /** One resource of its parents. */
  readonly parent: ResourceRule;
}

/** Those of the files, or of them those of these names. Throws DiagnosticError: what is wrong with the files. */
export async function leavingInFiles(
  paths: readonly string[],
  names: readonly string[],
  { files }: AppEnvironment,
): Promise<Leaving[]> {
  const { loadInputs } = await import('../definitions/index.ts');
  const { definitions, diagnostics } = await loadInputs({ paths, files });
  if (hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  const missing = names.filter((name) => !definitions.some((definition) => definition.name === name));
  const lacking = missing[0] ?? (definitions.length === 0 ? '' : undefined);
  if (lacking === undefined)
    return definitions.filter(({ name }) => names.length === 0 || names.includes(name)).flatMap(leavingOf);
  const summary = `the files hold no controller${lacking === '' ? '' : ` ${lacking}`}`;
  throw new DiagnosticError([{ severity: 'error', code: 'no-input', summary, hint: 'Pass its definition with -f.' }]);
}

const leavingOf = (definition: Definition): Leaving[] =>
  parentRulesOf(definition).map((parent) => ({ kind: definition.kind, name: definition.name, parent }));

const CONTROLLERS = 'metacontroller.k8s.io/v1alpha1';
const KINDS = Object.entries(CONTROLLER_RESOURCES) as readonly [Definition['kind'], string][];

/** Those of these names, of whatever kind. Throws DiagnosticError. */
export async function leavingInCluster(names: readonly string[], world: World): Promise<Leaving[]> {
  const found = await Promise.all(names.map((name) => leavingCalled(name, world)));
  return found.flat();
}

async function leavingCalled(name: string, { client }: World): Promise<Leaving[]> {
  const ofKinds = KINDS.map(async ([kind, resource]) => {
    const type = await client.byResource(CONTROLLERS, resource);
    const object = type && (await client.get(type, name));
    return object && { kind, parents: parentsIn(object['spec']) };
  });
  const found = (await Promise.all(ofKinds)).filter((one) => one !== undefined);
  const leaving = found.flatMap(({ kind, parents }) => parents.map((parent) => ({ kind, name, parent })));
  if (leaving.length > 0) return leaving;
  const hint = 'If it is deleted already, pass its definition: -f FILE.';
  const summary = `there is no controller ${name} in the cluster${found.length > 0 ? ' that says what its parents are' : ''}`;
  throw new DiagnosticError([{ severity: 'error', code: 'usage', summary, hint }]);
}

function parentsIn(spec: JsonValue | undefined): ResourceRule[] {
  if (!isJsonObject(spec)) return [];
  const { parentResource, resources } = spec;
  const given = isJsonArray(resources) ? resources : [parentResource];
  return given.flatMap((rule) => {
    if (!isJsonObject(rule)) return [];
    const { apiVersion, resource } = rule;
    return typeof apiVersion === 'string' && typeof resource === 'string' ? { apiVersion, resource } : [];
  });
}
