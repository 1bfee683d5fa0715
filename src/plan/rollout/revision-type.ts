// Metacontroller's own kind in which revisions of parents are kept. Not to be mixed up with apps/v1 ControllerRevision.

import type { ResourceType } from '../../model/resource.ts';

export const REVISION_API_VERSION = 'metacontroller.k8s.io/v1alpha1';
export const REVISION_RESOURCE = 'controllerrevisions';
export const REVISION_KIND = 'ControllerRevision';

const GROUP_LABEL = 'metacontroller.k8s.io/apiGroup';
const RESOURCE_LABEL = 'metacontroller.k8s.io/resource';

/** The paths that the record was made of, with commas between them; Metacontroller's revisions are without. */
export const FIELD_PATHS_ANNOTATION = 'metactl.dev/field-paths';

/** On every revision, so that those of different kinds of parents with the same labels are not mixed up. */
export function revisionLabels({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): Record<string, string> {
  return { [GROUP_LABEL]: group, [RESOURCE_LABEL]: resource };
}
