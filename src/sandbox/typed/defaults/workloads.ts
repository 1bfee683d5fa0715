// Defaults of apps, batch, policy and autoscaling.

import { cloneJson, type JsonObject, type JsonValue } from '../../../kit/json.ts';
import {
  type Default,
  type Fields,
  fieldsAt,
  fieldsIn,
  isFilled,
  optionalFields,
  orElse,
  orElseText,
} from './fields.ts';

const MAX_INT32 = 2 ** 31 - 1;

const deployment: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  orElse(spec, 'replicas', 1);
  const strategy = fieldsAt(spec, 'strategy');
  orElseText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = fieldsAt(strategy, 'rollingUpdate');
    orElse(rolling, 'maxUnavailable', '25%');
    orElse(rolling, 'maxSurge', '25%');
  }
  orElse(spec, 'revisionHistoryLimit', 10);
  orElse(spec, 'progressDeadlineSeconds', 600);
};

const daemonSet: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  const strategy = fieldsAt(spec, 'updateStrategy');
  orElseText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = fieldsAt(strategy, 'rollingUpdate');
    orElse(rolling, 'maxUnavailable', 1);
    orElse(rolling, 'maxSurge', 0);
  }
  orElse(spec, 'revisionHistoryLimit', 10);
};

const statefulSet: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  orElseText(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = fieldsAt(spec, 'updateStrategy');
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate';
    fieldsAt(strategy, 'rollingUpdate');
  }
  const rolling = optionalFields(strategy['rollingUpdate']);
  if (strategy['type'] === 'RollingUpdate' && rolling) orElse(rolling, 'partition', 0);
  const retention = fieldsAt(spec, 'persistentVolumeClaimRetentionPolicy');
  orElseText(retention, 'whenDeleted', 'Retain');
  orElseText(retention, 'whenScaled', 'Retain');
  orElse(spec, 'replicas', 1);
  orElse(spec, 'revisionHistoryLimit', 10);
  if (isFilled(spec['volumeClaimTemplates']))
    spec['volumeClaimTemplates'] = fieldsIn(spec['volumeClaimTemplates']).map((claim) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      ...claim,
    }));
};

/** Labels of the template; a copy, so that two places never share an object. */
function templateLabels(spec: Fields): Fields | undefined {
  const labels = optionalFields(optionalFields(optionalFields(spec['template'])?.['metadata'])?.['labels']);
  return labels && { ...labels };
}

function labelled(object: Fields, labels: Fields): void {
  const metadata = fieldsAt(object, 'metadata');
  if (!isFilled(metadata['labels'])) metadata['labels'] = { ...labels };
}

const replicationController: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  const labels = templateLabels(spec);
  if (labels) {
    if (!isFilled(spec['selector'])) spec['selector'] = { ...labels };
    labelled(object, labels);
  }
  orElse(spec, 'replicas', 1);
};

const job: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  orElse(spec, 'parallelism', 1);
  orElse(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : MAX_INT32);
  const labels = templateLabels(spec);
  if (labels) labelled(object, labels);
  orElse(spec, 'completionMode', 'NonIndexed');
  orElse(spec, 'suspend', false);
  orElse(spec, 'podReplacementPolicy', spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed');
  orElse(spec, 'manualSelector', false);
};

const cronJob: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  orElseText(spec, 'concurrencyPolicy', 'Allow');
  orElse(spec, 'suspend', false);
  orElse(spec, 'successfulJobsHistoryLimit', 3);
  orElse(spec, 'failedJobsHistoryLimit', 1);
};

const CPU_METRIC: JsonValue = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const SCALE_UP: JsonObject = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN: JsonObject = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

const autoscaler: Default = (object) => {
  const spec = fieldsAt(object, 'spec');
  orElse(spec, 'minReplicas', 1);
  if (!isFilled(spec['metrics'])) spec['metrics'] = [cloneJson(CPU_METRIC)];
  const behavior = optionalFields(spec['behavior']);
  if (!behavior) return;
  behavior['scaleUp'] = { ...cloneJson(SCALE_UP), ...optionalFields(behavior['scaleUp']) };
  behavior['scaleDown'] = { ...cloneJson(SCALE_DOWN), ...optionalFields(behavior['scaleDown']) };
};

export const WORKLOAD_DEFAULTS: Readonly<Record<string, Default>> = {
  'apps.v1.Deployment': deployment,
  'apps.v1.ReplicaSet': (object) => orElse(fieldsAt(object, 'spec'), 'replicas', 1),
  'apps.v1.StatefulSet': statefulSet,
  'apps.v1.DaemonSet': daemonSet,
  'core.v1.ReplicationController': replicationController,
  'batch.v1.Job': job,
  'batch.v1.CronJob': cronJob,
  'batch.v1.PodFailurePolicyRule': (rule) => {
    for (const pattern of fieldsIn(rule['onPodConditions'])) orElseText(pattern, 'status', 'True');
  },
  'autoscaling.v2.HorizontalPodAutoscaler': autoscaler,
  'autoscaling.v1.HorizontalPodAutoscaler': (object) => orElse(fieldsAt(object, 'spec'), 'minReplicas', 1),
};
