// Roles and bindings.

import { creates, type RecordedGroup, updates } from '../case.ts';

const at = (resource: string): string => `/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/${resource}`;
const API = 'rbac.authorization.k8s.io/v1';
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
const ROLE = { apiVersion: API, kind: 'Role', metadata: { name: 'role' }, rules: [rule] };
const CLUSTER_ROLE = { apiVersion: API, kind: 'ClusterRole', metadata: { name: '{ns}-role' }, rules: [rule] };
const BINDING = {
  apiVersion: API,
  kind: 'RoleBinding',
  metadata: { name: 'binding' },
  roleRef,
  subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
};
const CLUSTER_BINDING = {
  ...BINDING,
  kind: 'ClusterRoleBinding',
  metadata: { name: '{ns}-binding' },
  roleRef: { ...roleRef, kind: 'ClusterRole' },
};
const CLUSTER_ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const CLUSTER_BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

export const ACCESS: RecordedGroup = {
  name: 'access',
  cases: [
    ...creates(at('roles'), ROLE, {
      minimal: {},
      'no rules': { rules: null },
      'empty rules': { rules: [] },
      'no verbs': { rules: [{ apiGroups: [''], resources: ['pods'] }] },
      'no groups': { rules: [{ resources: ['pods'], verbs: ['get'] }] },
      'no resources': { rules: [{ apiGroups: [''], verbs: ['get'] }] },
      urls: { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
      'odd name': { metadata: { name: 'system:a:b' } },
      'name with a slash': { metadata: { name: 'a/b%c' } },
    }),
    ...creates(CLUSTER_ROLES, CLUSTER_ROLE, {
      minimal: {},
      urls: { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
      'urls and resources': { rules: [{ ...rule, nonResourceURLs: ['/healthz'] }] },
      aggregated: { rules: null, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
      'bad aggregation': { aggregationRule: {} },
      'bad aggregation selector': { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'a b': 'c' } }] } },
    }),
    ...updates(at('roles'), ROLE, {
      'other rules': { rules: [{ ...rule, verbs: ['list'] }] },
      'bad rules': { rules: [{}] },
    }),
    ...creates(at('rolebindings'), BINDING, {
      minimal: {},
      'no group in ref': { roleRef: { apiGroup: null } },
      'wrong group': { roleRef: { apiGroup: 'x' } },
      'unknown kind': { roleRef: { kind: 'X' } },
      'no role name': { roleRef: { name: '' } },
      'bad role name': { roleRef: { name: 'a/b' } },
      'no ref': { roleRef: null },
      'no subjects': { subjects: null },
      users: {
        subjects: [
          { kind: 'User', name: 'u' },
          { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
        ],
      },
      'bad subjects': {
        subjects: [
          { kind: 'User', name: '', apiGroup: 'x' },
          { kind: 'Robot', name: 'r' },
          { kind: 'ServiceAccount', name: 'A_', namespace: '' },
        ],
      },
      'cluster role': { roleRef: { kind: 'ClusterRole' } },
    }),
    ...updates(at('rolebindings'), BINDING, {
      same: {},
      'other role': { roleRef: { name: 'q' } },
      'other subjects': { subjects: [{ kind: 'User', name: 'u' }] },
    }),
    ...creates(CLUSTER_BINDINGS, CLUSTER_BINDING, {
      minimal: {},
      'a role': { roleRef: { kind: 'Role' } },
      'account without namespace': { subjects: [{ kind: 'ServiceAccount', name: 'robot' }] },
    }),
    ...updates(CLUSTER_BINDINGS, CLUSTER_BINDING, { 'other role': { roleRef: { name: 'q' } } }),
  ],
};
