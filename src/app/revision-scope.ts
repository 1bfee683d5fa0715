// Where the ControllerRevisions of a definition's parents are: narrow scopes, so that rolling updates need few rights and
// hold little in memory.

import { type Definition, definitionId } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ResourceType } from '../model/resource.ts';
import { formatSelector, isRolling, REVISION_API_VERSION, REVISION_RESOURCE, revisionLabels } from '../plan/index.ts';
import type { Controller } from '../reconcile/index.ts';
import type { Resources } from './inputs.ts';

interface Place {
  readonly resources: Resources;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  /** Those beside the parents that are in our shards are enough. */
  readonly sharded?: boolean | undefined;
}

/** Nothing where no child rule is rolling. An array: what is missing for it. */
export async function resolveRevisions(
  definition: Definition,
  parentType: ResourceType,
  { resources, namespace, sharded }: Place,
): Promise<Pick<Controller, 'revisions'> | Diagnostic[]> {
  if (definition.kind !== 'CompositeController' || !definition.children.some(isRolling)) return {};
  const type = await resources.byResource(REVISION_API_VERSION, REVISION_RESOURCE);
  if (!type) return [notServed(definition)];
  if (!(await resources.isServed(type))) return { revisions: { type } };
  const within = parentType.namespaced ? namespace : definition.parent.revisionNamespace;
  const labelSelector = formatSelector({ matchLabels: revisionLabels(parentType), matchExpressions: [] });
  const beside = parentType.namespaced && sharded ? { sharded: true as const } : {};
  const scope = { type, labelSelector, ...(within === undefined ? {} : { namespace: within }), ...beside };
  return { revisions: { type, scope } };
}

function notServed(definition: Definition): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-resource',
    summary: `${definitionId(definition)}: rolling updates are recorded in ${REVISION_RESOURCE} of ${REVISION_API_VERSION}, which the server does not serve`,
    detail: "The kind is Metacontroller's own; it comes with an installation of it, or with one file of metactl.",
    hint: 'Add deploy/crds/controllerrevisions.yaml to the files: -f deploy/crds/controllerrevisions.yaml',
    ...(definition.source ? { source: definition.source } : {}),
  };
}
