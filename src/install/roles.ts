// Rights → the fewest rules that give them, as RBAC's objects. Sorted: the same rights are the same text.

import { canonicalJson } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { Right, SummedRight, Verb } from '../model/right.ts';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;
const VERBS: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface RoleOptions {
  /** Of the ClusterRole, of each Role, and of their bindings. */
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Who gets them; absent: roles alone. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export function sumRights(rights: readonly Right[]): readonly SummedRight[] {
  const sums = new Map<string, SummedRight>();
  for (const right of withoutCovered(rights)) {
    const { why, verbs, names, ...where } = right;
    const key = canonicalJson({ ...where, names: names ? [...names] : null });
    const known = sums.get(key);
    const all = new Set([...(known?.verbs ?? []), ...verbs]);
    const reasons = [...new Set([...(known?.reasons ?? []), why])];
    sums.set(key, { ...right, verbs: VERBS.filter((verb) => all.has(verb)), reasons, why: reasons.join('; ') });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/** What is allowed everywhere need not be allowed once more in one place, nor what is allowed for all names for some. */
function withoutCovered(rights: readonly Right[]): readonly Right[] {
  const covers = (wide: Right, narrow: Right, verb: Verb): boolean =>
    wide !== narrow &&
    wide.group === narrow.group &&
    wide.resource === narrow.resource &&
    wide.verbs.includes(verb) &&
    (wide.namespace === undefined || wide.namespace === narrow.namespace) &&
    wide.names === undefined &&
    (wide.namespace !== narrow.namespace || narrow.names !== undefined);
  return rights.flatMap((right): Right[] => {
    const verbs = right.verbs.filter((verb) => !rights.some((other) => covers(other, right, verb)));
    return verbs.length === 0 ? [] : [{ ...right, verbs }];
  });
}

/** A ClusterRole for what is needed everywhere, a Role for each namespace that something is needed of; bindings after them. */
export function rolesOf(rights: readonly Right[], options: RoleOptions): readonly KubeObject[] {
  const sums = sumRights(rights);
  const places = [...new Set(sums.map(placeOf))].sort();
  return places.flatMap((place) => {
    const rules = rulesOf(sums.filter((sum) => placeOf(sum) === place));
    return roleWithBinding(rules, { ...options, namespace: place === ANYWHERE ? undefined : place });
  });
}

/** Comes before every name. */
const ANYWHERE = '';
const placeOf = ({ namespace = ANYWHERE }: Right): string => namespace;

interface PlacedRole extends RoleOptions {
  readonly namespace: string | undefined;
}

/** `namespace` undefined: in the cluster as a whole. */
export function roleWithBinding(rules: readonly Rule[], options: PlacedRole): readonly KubeObject[] {
  const { name, labels, namespace, serviceAccount } = options;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const place = namespace === undefined ? {} : { namespace };
  const metadata = { name, ...place, ...(labels ? { labels } : {}) };
  const role = { apiVersion: API_VERSION, kind, metadata, rules: rules.map((rule) => ({ ...rule })) };
  if (!serviceAccount) return [role];
  const binding = {
    ...{ apiVersion: API_VERSION, kind: `${kind}Binding`, metadata },
    roleRef: { apiGroup: GROUP, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount.name, namespace: serviceAccount.namespace }],
  };
  return [role, binding];
}

/** Resources of one group with the same verbs stand in one rule; those with names each in their own. */
function rulesOf(sums: readonly SummedRight[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const { group, resource, names, verbs } of sums) {
    const key = canonicalJson({ group, verbs: [...verbs], of: names ? { resource, names: [...names] } : null });
    const resources = [...(rules.get(key)?.resources ?? []), resource];
    rules.set(key, { apiGroups: [group], resources, ...(names ? { resourceNames: names } : {}), verbs });
  }
  return [...rules.values()];
}
