// What a rule of a customize hook selects, among objects that are there already: pure, and the same for reading, for
// events and for what inputs bring.

import type { RelatedRule } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { matchesSelector } from '../selectors.ts';

export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** `labelsOf` gives the labels of a namespace; undefined where it is not there (any more). */
export function matchesRule(rule: RelatedRule, object: KubeObject, labelsOf: NamespaceLabels): boolean {
  const { name = '', namespace, labels } = object.metadata;
  if (rule.namespace !== undefined && rule.namespace !== namespace) return false;
  if (rule.names && !rule.names.includes(name)) return false;
  if (rule.labelSelector && !matchesSelector(rule.labelSelector, labels)) return false;
  if (!rule.namespaceSelector) return true;
  const found = namespace === undefined ? undefined : labelsOf(namespace);
  return found !== undefined && matchesSelector(rule.namespaceSelector, found);
}

export interface Misfit {
  readonly severity: 'error' | 'warning';
  readonly field: 'namespaceSelector' | 'namespace';
  readonly problem: string;
}

/** Why the rule selects nothing of this resource, whatever there is. */
export function misfitOf(rule: RelatedRule, type: ResourceType): Misfit | undefined {
  if (type.namespaced) return undefined;
  const scope = `but ${type.kind} is cluster-scoped`;
  if (rule.namespaceSelector)
    return { severity: 'error', field: 'namespaceSelector', problem: `selects namespaces, ${scope}` };
  if (rule.namespace === undefined) return undefined;
  return { severity: 'warning', field: 'namespace', problem: `is ${rule.namespace}, ${scope}: it selects nothing` };
}
