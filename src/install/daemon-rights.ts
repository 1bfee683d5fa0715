// What a daemon needs whatever its controllers do: to follow their definitions and the CRDs, to say what happens, and to be
// the only one.

import { type Definition, definitionId } from '../model/definition.ts';
import type { Right } from '../model/right.ts';
import type { RightsOptions } from './rights-options.ts';

const FOLLOW = ['list', 'watch'] as const;
/** Events about objects of the cluster as a whole are kept here. */
const NAMESPACE_OF_CLUSTER_EVENTS = 'default';

export function daemonRights(definitions: readonly Definition[], options: RightsOptions): readonly Right[] {
  const { purpose } = options;
  if (purpose === 'shadow') return following();
  return purpose === 'daemon' ? [...following(), ...events(definitions, options), ...leases(options)] : [];
}

function following(): Right[] {
  const kinds = ['compositecontrollers', 'decoratorcontrollers', 'mapcontrollers'];
  const why = 'the definitions of controllers';
  return [
    ...kinds.map((resource) => ({ group: 'metacontroller.k8s.io', resource, verbs: FOLLOW, why })),
    {
      group: 'apiextensions.k8s.io',
      resource: 'customresourcedefinitions',
      verbs: FOLLOW,
      why: 'to see at once when a resource comes or goes',
    },
  ];
}

function events(definitions: readonly Definition[], { namespace }: RightsOptions): Right[] {
  const right = { group: '', resource: 'events', verbs: ['create', 'patch'] as const };
  const ofParents = `Events about parents of ${definitions.map(definitionId).join(', ')}`;
  const ofControllers = 'Events about controllers';
  if (namespace === undefined) return [{ ...right, why: 'Events about controllers and parents' }];
  return [
    { ...right, namespace, why: ofParents },
    { ...right, namespace: NAMESPACE_OF_CLUSTER_EVENTS, why: ofControllers },
  ];
}

function leases({ leases: { namespace, names, shared } }: RightsOptions): Right[] {
  const right = { group: 'coordination.k8s.io', resource: 'leases', namespace };
  const verbs = ['get', 'list', 'create', 'update', 'delete'] as const;
  if (shared) return [{ ...right, verbs, why: 'to share the parents with other replicas' }];
  if (names.length === 0) return [];
  return [
    // A name can't be asked for where the object is only to come.
    { ...right, verbs: ['create'], why: 'to be the only one at work' },
    { ...right, names, verbs: ['get', 'update'], why: 'to be the only one at work' },
  ];
}
