// The kinds that every cluster has, by their names: `Pod`, `Deployment`. The types are those of the package kubernetes-models, which
// follows Kubernetes' releases; they are types only, and go into dist/types with ours (tools/vendor-types.ts), so that users install
// nothing for them. What is observed has a name, which the package can't know.

import type { IMutatingWebhookConfiguration } from 'kubernetes-models/admissionregistration.k8s.io/v1/MutatingWebhookConfiguration';
import type { IValidatingAdmissionPolicy } from 'kubernetes-models/admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy';
import type { IValidatingWebhookConfiguration } from 'kubernetes-models/admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration';
import type { ICustomResourceDefinition } from 'kubernetes-models/apiextensions.k8s.io/v1/CustomResourceDefinition';
import type { IControllerRevision } from 'kubernetes-models/apps/v1/ControllerRevision';
import type { IDaemonSet } from 'kubernetes-models/apps/v1/DaemonSet';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IReplicaSet } from 'kubernetes-models/apps/v1/ReplicaSet';
import type { IStatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { ICronJob } from 'kubernetes-models/batch/v1/CronJob';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { ILease } from 'kubernetes-models/coordination.k8s.io/v1/Lease';
import type { IEndpointSlice } from 'kubernetes-models/discovery.k8s.io/v1/EndpointSlice';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { IIngressClass } from 'kubernetes-models/networking.k8s.io/v1/IngressClass';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IClusterRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRole';
import type { IClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRoleBinding';
import type { IRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import type { IRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/RoleBinding';
import type { IPriorityClass } from 'kubernetes-models/scheduling.k8s.io/v1/PriorityClass';
import type { IStorageClass } from 'kubernetes-models/storage.k8s.io/v1/StorageClass';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IEndpoints } from 'kubernetes-models/v1/Endpoints';
import type { ILimitRange } from 'kubernetes-models/v1/LimitRange';
import type { INamespace } from 'kubernetes-models/v1/Namespace';
import type { INode } from 'kubernetes-models/v1/Node';
import type { IPersistentVolume } from 'kubernetes-models/v1/PersistentVolume';
import type { IPersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import type { IPod } from 'kubernetes-models/v1/Pod';
import type { IPodTemplate } from 'kubernetes-models/v1/PodTemplate';
import type { IReplicationController } from 'kubernetes-models/v1/ReplicationController';
import type { IResourceQuota } from 'kubernetes-models/v1/ResourceQuota';
import type { ISecret } from 'kubernetes-models/v1/Secret';
import type { IService } from 'kubernetes-models/v1/Service';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { Metadata } from './shapes.ts';

type Kind<T> = Omit<T, 'metadata'> & { metadata: Metadata };

export type ClusterRole = Kind<IClusterRole>;
export type ClusterRoleBinding = Kind<IClusterRoleBinding>;
export type ConfigMap = Kind<IConfigMap>;
export type ControllerRevision = Kind<IControllerRevision>;
export type CronJob = Kind<ICronJob>;
export type CustomResourceDefinition = Kind<ICustomResourceDefinition>;
export type DaemonSet = Kind<IDaemonSet>;
export type Deployment = Kind<IDeployment>;
export type Endpoints = Kind<IEndpoints>;
export type EndpointSlice = Kind<IEndpointSlice>;
export type HorizontalPodAutoscaler = Kind<IHorizontalPodAutoscaler>;
export type Ingress = Kind<IIngress>;
export type IngressClass = Kind<IIngressClass>;
export type Job = Kind<IJob>;
export type Lease = Kind<ILease>;
export type LimitRange = Kind<ILimitRange>;
export type MutatingWebhookConfiguration = Kind<IMutatingWebhookConfiguration>;
export type Namespace = Kind<INamespace>;
export type NetworkPolicy = Kind<INetworkPolicy>;
export type Node = Kind<INode>;
export type PersistentVolume = Kind<IPersistentVolume>;
export type PersistentVolumeClaim = Kind<IPersistentVolumeClaim>;
export type Pod = Kind<IPod>;
export type PodDisruptionBudget = Kind<IPodDisruptionBudget>;
export type PodTemplate = Kind<IPodTemplate>;
export type PriorityClass = Kind<IPriorityClass>;
export type ReplicaSet = Kind<IReplicaSet>;
export type ReplicationController = Kind<IReplicationController>;
export type ResourceQuota = Kind<IResourceQuota>;
export type Role = Kind<IRole>;
export type RoleBinding = Kind<IRoleBinding>;
export type Secret = Kind<ISecret>;
export type Service = Kind<IService>;
export type ServiceAccount = Kind<IServiceAccount>;
export type StatefulSet = Kind<IStatefulSet>;
export type StorageClass = Kind<IStorageClass>;
export type ValidatingAdmissionPolicy = Kind<IValidatingAdmissionPolicy>;
export type ValidatingWebhookConfiguration = Kind<IValidatingWebhookConfiguration>;

/** All of them; `Extract<BuiltInKind, { kind: 'Pod' }>` is one. */
export type BuiltInKind =
  | ClusterRole
  | ClusterRoleBinding
  | ConfigMap
  | ControllerRevision
  | CronJob
  | CustomResourceDefinition
  | DaemonSet
  | Deployment
  | Endpoints
  | EndpointSlice
  | HorizontalPodAutoscaler
  | Ingress
  | IngressClass
  | Job
  | Lease
  | LimitRange
  | MutatingWebhookConfiguration
  | Namespace
  | NetworkPolicy
  | Node
  | PersistentVolume
  | PersistentVolumeClaim
  | Pod
  | PodDisruptionBudget
  | PodTemplate
  | PriorityClass
  | ReplicaSet
  | ReplicationController
  | ResourceQuota
  | Role
  | RoleBinding
  | Secret
  | Service
  | ServiceAccount
  | StatefulSet
  | StorageClass
  | ValidatingAdmissionPolicy
  | ValidatingWebhookConfiguration;
