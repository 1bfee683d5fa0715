// Which rule is whose, and the short ones. A group that is not listed falls to the generic rule, also for a kind of the
// same name: a custom resource may be called Job.

import type { KubeObject } from '../model/object.ts';
import { splitApiVersion } from '../model/resource.ts';
import { conditionOf, explain, numberAt, textAt } from './fields.ts';
import { podHealth } from './pod.ts';
import { current, failed, type Health, type HealthRule, inProgress } from './state.ts';
import { daemonSetHealth, deploymentHealth, replicaSetHealth, statefulSetHealth } from './workloads.ts';

const RULES: ReadonlyMap<string, HealthRule> = new Map([
  ['Pod.', podHealth],
  ['Service.', serviceHealth],
  ['PersistentVolumeClaim.', claimHealth],
  ['Namespace.', namespaceHealth],
  ['ReplicationController.', replicaSetHealth],
  ['Deployment.apps', deploymentHealth],
  ['ReplicaSet.apps', replicaSetHealth],
  ['StatefulSet.apps', statefulSetHealth],
  ['DaemonSet.apps', daemonSetHealth],
  ['Job.batch', jobHealth],
  ['PodDisruptionBudget.policy', budgetHealth],
  ['CustomResourceDefinition.apiextensions.k8s.io', crdHealth],
  ['APIService.apiregistration.k8s.io', apiServiceHealth],
]);

/** The rule of a built-in kind; undefined for all others. */
export function kindRule(object: KubeObject): HealthRule | undefined {
  return RULES.get(`${object.kind}.${splitApiVersion(object.apiVersion ?? '').group}`);
}

function serviceHealth(object: KubeObject): Health {
  if (textAt(object, 'spec', 'type') !== 'LoadBalancer' || textAt(object, 'spec', 'clusterIP') !== '')
    return current('exists');
  return inProgress('a Service of type LoadBalancer without spec.clusterIP');
}

function claimHealth(object: KubeObject): Health {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Bound') return current('Bound');
  if (phase === 'Lost') return failed('Lost: its volume is gone');
  return inProgress(phase === '' ? 'not bound to a volume yet' : `phase is ${phase}, not Bound`);
}

function namespaceHealth(object: KubeObject): Health {
  const phase = textAt(object, 'status', 'phase');
  return phase === 'Terminating' ? { state: 'Terminating', message: 'being deleted' } : current(phase || 'exists');
}

function jobHealth(object: KubeObject): Health {
  const complete = conditionOf(object, 'Complete');
  if (complete?.status === 'True') return current('Complete');
  const failure = conditionOf(object, 'Failed');
  if (failure?.status === 'True') return failed(explain(failure, 'the Job failed'));
  const suspended = conditionOf(object, 'Suspended');
  if (suspended?.status === 'True') return inProgress(explain(suspended, 'suspended'));
  const completions = numberAt(object, 'spec', 'completions') ?? 1;
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  const failures = count('failed') > 0 ? `, ${count('failed')} failed` : '';
  return inProgress(`${count('succeeded')} of ${completions} completions, ${count('active')} active${failures}`);
}

function budgetHealth(object: KubeObject): Health {
  const healthy = numberAt(object, 'status', 'currentHealthy') ?? 0;
  const desired = numberAt(object, 'status', 'desiredHealthy') ?? 0;
  const message = `${healthy} of ${desired} pods healthy`;
  return healthy < desired ? inProgress(message) : current(message);
}

function crdHealth(object: KubeObject): Health {
  const names = conditionOf(object, 'NamesAccepted');
  if (names?.status === 'False') return failed(explain(names, 'its names are not accepted'));
  const established = conditionOf(object, 'Established');
  if (established?.status === 'True' && names?.status === 'True') return current('Established');
  const message = explain(
    established,
    established?.status === 'True' ? 'NamesAccepted is missing' : 'not Established yet',
  );
  return established?.status === 'False' && established.reason !== 'Installing' ? failed(message) : inProgress(message);
}

function apiServiceHealth(object: KubeObject): Health {
  const available = conditionOf(object, 'Available');
  return available?.status === 'True' ? current('Available') : inProgress(explain(available, 'not Available yet'));
}
