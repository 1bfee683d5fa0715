// Controllers that go, from files or from the cluster.

import { isJsonObject, type JsonValue } from '../kit/json.ts';
import type { Definition, ResourceRule } from '../model/definition.ts';
import { DiagnosticError, hasErrors } from '../model/diagnostic.ts';
import type { World } from './open.ts';
import type { AppEnvironment } from './options.ts';

/** What of a definition matters when it goes: it need not be one that this version could carry out. */
export interface Leaving extends Pick<Definition, 'kind' | 'name'> {
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
  if (lacking === undefined) return definitions.filter(({ name }) => names.length === 0 || names.includes(name));
  const summary = `the files hold no controller${lacking === '' ? '' : ` ${lacking}`}`;
  throw new DiagnosticError([{ severity: 'error', code: 'no-input', summary, hint: 'Pass its definition with -f.' }]);
}

const CONTROLLERS = 'metacontroller.k8s.io/v1alpha1';

/** Those of these names. Throws DiagnosticError. */
export async function leavingInCluster(names: readonly string[], { client }: World): Promise<Leaving[]> {
  const type = await client.byResource(CONTROLLERS, 'compositecontrollers');
  return Promise.all(
    names.map(async (name) => {
      const object = type && (await client.get(type, name));
      const parent = parentOf(object?.['spec']);
      if (parent) return { kind: 'CompositeController' as const, name, parent };
      const hint = 'If it is deleted already, pass its definition: -f FILE.';
      const summary = `there is no CompositeController ${name} in the cluster${object ? ' that says what its parents are' : ''}`;
      throw new DiagnosticError([{ severity: 'error', code: 'usage', summary, hint }]);
    }),
  );
}

function parentOf(spec: JsonValue | undefined): ResourceRule | undefined {
  const parent = isJsonObject(spec) ? spec['parentResource'] : undefined;
  if (!isJsonObject(parent)) return undefined;
  const { apiVersion, resource } = parent;
  return typeof apiVersion === 'string' && typeof resource === 'string' ? { apiVersion, resource } : undefined;
}
