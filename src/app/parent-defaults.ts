// A parent from a file, as the server would store it: the defaults of its CRD filled in, so that a plan asks the hook about
// what apply will ask it about. The CRD comes from the same files, or from the cluster.

import type { ClusterClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import type { PlannedInput } from '../plan/index.ts';
import { isApiError } from '../ports/errors.ts';
import { applyDefaults, schemaOfVersion } from '../schema/index.ts';

export function withDefaults(inputs: readonly PlannedInput[], client: ClusterClient): Promise<PlannedInput[]> {
  return Promise.all(
    inputs.map(async (input) => {
      if (!input.isParent || input.changes.length === 0) return input;
      const crd = (await crdOf(input.type, inputs, client)) ?? input.projected;
      const schema = schemaOfVersion(crd, input.type.version);
      return { ...input, projected: applyDefaults(schema, input.projected) as KubeObject };
    }),
  );
}

async function crdOf(
  type: ResourceType,
  inputs: readonly PlannedInput[],
  client: ClusterClient,
): Promise<KubeObject | undefined> {
  const name = `${type.resource}.${type.group}`;
  const coming = inputs.find(
    ({ projected }) => projected.kind === 'CustomResourceDefinition' && projected.metadata.name === name,
  );
  if (coming) return coming.projected;
  const crds = await client.byResource('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  if (!crds) return undefined;
  try {
    return await client.get(crds, name);
  } catch (error) {
    // Whoever may not read CRDs still gets a plan; the defaults are then seen once the parent is written.
    if (isApiError(error, 403)) return undefined;
    throw error;
  }
}
