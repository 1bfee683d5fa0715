import { jsonEqual } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { hasStatus, type ResourceKind } from '../registry/resource-kind.ts';
import { countsGenerations } from '../registry/traits.ts';
import { contentFields } from './metadata.ts';

/** The generation of an update's result: one more when the content changed, where the kind counts generations. */
export function nextGeneration(kind: ResourceKind, before: KubeObject, after: KubeObject): number | undefined {
  const { generation } = before.metadata;
  if (!countsGenerations(kind)) return generation;
  // A built-in's status never counts; a custom resource's counts where it has no status subresource.
  const withStatus = kind.custom && !hasStatus(kind);
  const same = jsonEqual(contentFields(before, withStatus), contentFields(after, withStatus));
  const annotated =
    kind.id === 'deployments.apps' && !jsonEqual(before.metadata.annotations, after.metadata.annotations);
  return same && !annotated ? generation : (generation ?? 0) + 1;
}
