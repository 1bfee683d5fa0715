// From a Tenant to its namespace, and, as soon as that is there, to what is in it. The keys of observed children of a
// cluster-scoped parent are "namespace/name", and "name" for those that are cluster-scoped themselves.

/**
 * @param {import('metactl/sdk').CompositeRequest} request
 * @returns {import('metactl/sdk').CompositeResponse}
 */
export function sync({ parent, children }) {
  const { name } = parent.metadata;
  const phase = children['Namespace.v1'][name]?.status?.phase;
  const inside = phase === 'Active' ? [limits(parent), ...editors(parent)] : [];
  return {
    status: { namespace: name, phase: phase ?? 'Pending' },
    children: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, ...inside],
  };
}

function limits({ metadata, spec }) {
  const { memory = '128Mi' } = spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'defaults', namespace: metadata.name },
    spec: { limits: [{ type: 'Container', default: { memory }, defaultRequest: { memory } }] },
  };
}

function editors({ metadata, spec }) {
  const members = spec?.members ?? [];
  if (members.length === 0) return [];
  const apiGroup = 'rbac.authorization.k8s.io';
  return [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'members', namespace: metadata.name },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'edit' },
      subjects: members.map((name) => ({ apiGroup, kind: 'User', name })),
    },
  ];
}
