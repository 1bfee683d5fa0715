// A ControllerRevision for the parent as it is now.

import { getOwn, isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { CompositeDefinition, LabelSelector } from '../../model/definition.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ownerReferenceTo } from '../claim/claim.ts';
import { CONTROLLER_UID_LABEL } from '../composite/desired.ts';
import { labelsMatching } from '../selectors.ts';
import { revisionName } from './revision-name.ts';
import { FIELD_PATHS_ANNOTATION, REVISION_API_VERSION, REVISION_KIND, revisionLabels } from './revision-type.ts';

export interface NewRevision {
  readonly definition: CompositeDefinition;
  readonly parent: KubeObject;
  readonly parentType: ResourceType;
  /** Of the parent's children: orphaned revisions are found again by it. */
  readonly selector: LabelSelector;
  readonly patch: JsonObject;
  /** Names of the parent's other revisions. */
  readonly taken: ReadonlySet<string>;
}

/** Without its children, which the rollout fills in. */
export function newRevision({ definition, parent, parentType, selector, patch, taken }: NewRevision): KubeObject {
  const parentUid = parent.metadata.uid ?? '';
  const own = definition.generateSelector ? { [CONTROLLER_UID_LABEL]: parentUid } : templateLabels(parent);
  return {
    apiVersion: REVISION_API_VERSION,
    kind: REVISION_KIND,
    metadata: {
      name: revisionName({ parentType, parentUid, patch }, taken),
      namespace: parent.metadata.namespace ?? definition.parent.revisionNamespace,
      labels: { ...labelsMatching(selector, own), ...revisionLabels(parentType) },
      annotations: { [FIELD_PATHS_ANNOTATION]: definition.parent.revisionFieldPaths.join(',') },
      ownerReferences: [ownerReferenceTo(parent)],
    },
    parentPatch: patch,
  };
}

/** As a workload's children have them. What is no text can't be a label. */
function templateLabels(parent: KubeObject): Record<string, string> {
  const labels = objectsAlong(parent, ['spec', 'template', 'metadata', 'labels']);
  const pairs = Object.entries(labels).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return Object.fromEntries(pairs);
}

function objectsAlong(object: JsonObject, path: readonly string[]): JsonObject {
  let value: JsonObject = object;
  for (const key of path) {
    const inner = getOwn(value, key);
    if (!isJsonObject(inner)) return {};
    value = inner;
  }
  return value;
}
