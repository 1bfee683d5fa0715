// What controllers need of a cluster, by what their definitions say: the one place that knows which request needs which right.
// src/app/rights.test.ts counts the requests of daemons and of applies, on both servers: these rights, no more and no less.
// Not knowable here, and so not here: what a customize hook will ask for (`related`), and the inputs of an apply.

import {
  type ChildRule,
  type Definition,
  definitionId,
  inputRulesOf,
  parentRulesOf,
  type ResourceRule,
} from '../model/definition.ts';
import type { Right, Verb } from '../model/right.ts';
import { daemonRights } from './daemon-rights.ts';
import { hookRights } from './hook-rights.ts';
import type { RightsOptions } from './rights-options.ts';

const REVISIONS = { group: 'metacontroller.k8s.io', resource: 'controllerrevisions' } as const;

/** In no order, and with repetitions: what they come to is rolesOf()'s. */
export function rightsOf(definitions: readonly Definition[], options: RightsOptions): readonly Right[] {
  const ofControllers = definitions.flatMap((definition) => [
    ...parentRights(definition, options),
    ...definition.children.flatMap((rule) => childRights(definition, rule, options)),
    ...inputRights(definition, options),
    ...revisionRights(definition, options),
    ...relatedRights(definition, options),
    ...hookRights(definition, options),
  ]);
  return [...ofControllers, ...daemonRights(definitions, options)];
}

/** Where parents and children are: everywhere, or in the one namespace that is looked at. */
const place = ({ namespace }: RightsOptions): Pick<Right, 'namespace'> =>
  namespace === undefined ? {} : { namespace };

const target = ({ apiVersion, resource }: ResourceRule): Pick<Right, 'group' | 'resource'> => ({
  group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
  resource,
});

/** A plan lists what is there once; what runs on follows it. */
const looking = ({ purpose }: RightsOptions): readonly Verb[] => (purpose === 'plan' ? ['list'] : ['list', 'watch']);

const writes = ({ purpose }: RightsOptions): boolean => purpose === 'apply' || purpose === 'daemon';

function parentRights(definition: Definition, options: RightsOptions): Right[] {
  const id = definitionId(definition);
  const why = (what: string): string => `${what} of ${id}`;
  return parentRulesOf(definition).flatMap((rule): Right[] => {
    const at = { ...target(rule), ...place(options) };
    const seen: Right = { ...at, verbs: looking(options), why: why('parents') };
    if (!writes(options)) return [seen];
    const { resource } = at;
    // Before an adoption, and after a conflict, the parent is read anew.
    const written: Right[] = [
      { ...at, verbs: ['get'], why: why('parents') },
      { ...at, resource: `${resource}/status`, verbs: ['update'], why: why("the parents' status") },
    ];
    const owner = { ...at, resource: `${resource}/finalizers`, verbs: ['update'] as const };
    if (definition.children.length > 0)
      written.push({ ...owner, why: `${why('owner references to parents')}, where the server checks them` });
    if (definition.hooks.finalize) written.push({ ...at, verbs: ['update'], why: why('the finalizer on parents') });
    if (definition.kind === 'DecoratorController')
      written.push({ ...at, verbs: ['update'], why: why('labels and annotations of parents') });
    return [seen, ...written];
  });
}

function childRights(definition: Definition, rule: ChildRule, options: RightsOptions): Right[] {
  const why = `children of ${definitionId(definition)}`;
  const verbs = [...looking(options), ...(writes(options) ? writing(definition, rule) : trying(definition, options))];
  return [{ ...target(rule), ...place(options), verbs, why }];
}

/** Dry runs, which need the right to do it. A plan does without. */
const trying = ({ apply }: Definition, { purpose }: RightsOptions): readonly Verb[] =>
  purpose === 'shadow' && apply.mode === 'server-side' ? ['patch'] : [];

function writing(definition: Definition, { updateMethod }: ChildRule): Verb[] {
  const verbs: Verb[] = ['get', 'create', 'delete'];
  const serverSide = definition.apply.mode === 'server-side';
  if (serverSide) verbs.push('patch');
  // Children are claimed by an update, and moved from one apply mode to the other.
  const claims = definition.kind === 'CompositeController';
  const inPlace = updateMethod === 'InPlace' || updateMethod === 'RollingInPlace';
  if (claims || serverSide || inPlace) verbs.push('update');
  return verbs;
}

function inputRights(definition: Definition, options: RightsOptions): Right[] {
  const why = `inputs of ${definitionId(definition)}`;
  return inputRulesOf(definition).map((rule) => ({ ...target(rule), ...place(options), verbs: looking(options), why }));
}

function revisionRights(definition: Definition, options: RightsOptions): Right[] {
  if (definition.kind !== 'CompositeController') return [];
  if (!definition.children.some(({ updateMethod }) => updateMethod.startsWith('Rolling'))) return [];
  const why = `the record of rolling updates of ${definitionId(definition)}`;
  const more: Verb[] = writes(options) ? ['get', 'create', 'update', 'delete'] : [];
  return [{ ...REVISIONS, ...place(options), verbs: [...looking(options), ...more], why }];
}

/** Its rules may be about any namespace, with hooks of version v2; and select namespaces by their labels. */
function relatedRights(definition: Definition, options: RightsOptions): Right[] {
  if (!('customize' in definition.hooks) || !definition.hooks.customize) return [];
  const why = `related objects of ${definitionId(definition)}`;
  return options.related.map(({ group, resource }) => ({ group, resource, verbs: looking(options), why }));
}
