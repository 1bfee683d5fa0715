// The kinds of controllers as a server has them once deploy/crds is applied: for tests of definitions that are objects of the cluster.

import { join } from 'node:path';
import type { ClusterClient } from '../cluster/index.ts';
import type { ResourceType } from '../model/resource.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';
import { useCases } from './use-cases.ts';

export const CONTROLLER_VERSION = 'metacontroller.k8s.io/v1alpha1';
const CRDS = join(import.meta.dirname, '../../deploy/crds');

/** CompositeController's, served. */
export async function installControllerKinds(target: TestTarget, client: ClusterClient): Promise<ResourceType> {
  await useCases({ cluster: target.choice, paths: [CRDS] }).apply();
  return until('CompositeControllers are served', () => {
    client.refresh();
    return client.byResource(CONTROLLER_VERSION, 'compositecontrollers');
  });
}
