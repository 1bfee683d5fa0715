// The rules of every built-in kind that has some, by the id of the kind.

import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from './access/roles.ts';
import { CRON_JOB } from './batch/cron-jobs.ts';
import { JOB } from './batch/jobs.ts';
import { CONFIG_MAP, SECRET } from './configuration/config.ts';
import { NAMESPACE } from './configuration/namespaces.ts';
import { ENDPOINT_SLICE, ENDPOINTS } from './network/endpoints.ts';
import { INGRESS, INGRESS_CLASS } from './network/ingresses.ts';
import { NETWORK_POLICY } from './network/policies.ts';
import { SERVICE } from './network/services.ts';
import { POD } from './pods/pod.ts';
import { AUTOSCALER } from './policy/autoscalers.ts';
import { LIMIT_RANGE, QUOTA } from './policy/limits.ts';
import { BUDGET, LEASE, NODE, PRIORITY_CLASS } from './policy/others.ts';
import type { KindRules } from './rules.ts';
import { CLAIM } from './storage/claims.ts';
import { CLASS } from './storage/classes.ts';
import { VOLUME } from './storage/volumes.ts';
import { DAEMON_SET, DEPLOYMENT, REPLICA_SET, STATEFUL_SET } from './workloads/apps.ts';
import { CONTROLLER } from './workloads/controllers.ts';

const RULES = new Map<string, KindRules>(
  Object.entries({
    pods: POD,
    services: SERVICE,
    endpoints: ENDPOINTS,
    configmaps: CONFIG_MAP,
    secrets: SECRET,
    namespaces: NAMESPACE,
    nodes: NODE,
    persistentvolumeclaims: CLAIM,
    persistentvolumes: VOLUME,
    resourcequotas: QUOTA,
    limitranges: LIMIT_RANGE,
    replicationcontrollers: CONTROLLER,
    'deployments.apps': DEPLOYMENT,
    'replicasets.apps': REPLICA_SET,
    'statefulsets.apps': STATEFUL_SET,
    'daemonsets.apps': DAEMON_SET,
    'jobs.batch': JOB,
    'cronjobs.batch': CRON_JOB,
    'ingresses.networking.k8s.io': INGRESS,
    'ingressclasses.networking.k8s.io': INGRESS_CLASS,
    'networkpolicies.networking.k8s.io': NETWORK_POLICY,
    'endpointslices.discovery.k8s.io': ENDPOINT_SLICE,
    'roles.rbac.authorization.k8s.io': ROLE,
    'clusterroles.rbac.authorization.k8s.io': CLUSTER_ROLE,
    'rolebindings.rbac.authorization.k8s.io': ROLE_BINDING,
    'clusterrolebindings.rbac.authorization.k8s.io': CLUSTER_ROLE_BINDING,
    'poddisruptionbudgets.policy': BUDGET,
    'horizontalpodautoscalers.autoscaling': AUTOSCALER,
    'storageclasses.storage.k8s.io': CLASS,
    'priorityclasses.scheduling.k8s.io': PRIORITY_CLASS,
    'leases.coordination.k8s.io': LEASE,
  } satisfies Record<string, KindRules>),
);

export function rulesOf(kindId: string): KindRules {
  return RULES.get(kindId) ?? NO_RULES;
}

const NO_RULES: KindRules = {};
