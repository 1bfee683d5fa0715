// Job and CronJob.

import { creates, type RecordedGroup, updates } from '../case.ts';
import { CONTAINER, LONG_LABEL, template } from './objects.ts';

const JOBS = '/apis/batch/v1/namespaces/{ns}/jobs';
const CRON_JOBS = '/apis/batch/v1/namespaces/{ns}/cronjobs';
const SPEC = { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER] } } };
const JOB = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec: SPEC };
const CRON_JOB = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'cron' },
  spec: { schedule: '*/5 * * * *', jobTemplate: { spec: SPEC } },
};

export const BATCH: RecordedGroup = {
  name: 'batch',
  cases: [
    ...creates(JOBS, JOB, {
      minimal: {},
      'no spec': { spec: null },
      'no template': { spec: { template: null } },
      'restarts always': template({ restartPolicy: 'Always' }),
      'no restart policy': template({ restartPolicy: null }),
      'own selector': { spec: { selector: { matchLabels: { a: 'b' } } } },
      'manual selector': {
        spec: {
          manualSelector: true,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } } },
        },
      },
      'manual selector without one': { spec: { manualSelector: true } },
      'manual selector of something else': {
        spec: {
          manualSelector: true,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'c' } } },
        },
      },
      'labels of the template': { spec: { template: { metadata: { labels: { a: 'b' } } } } },
      negative: {
        spec: {
          parallelism: -1,
          completions: -1,
          backoffLimit: -1,
          activeDeadlineSeconds: -1,
          ttlSecondsAfterFinished: -1,
        },
      },
      'work queue': { spec: { parallelism: 3 } },
      'fixed completions': { spec: { completions: 3 } },
      indexed: { spec: { completionMode: 'Indexed', completions: 3 } },
      'indexed without completions': { spec: { completionMode: 'Indexed' } },
      'indexed with per index limit': {
        spec: { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      },
      'per index limit without indexes': { spec: { backoffLimitPerIndex: 1, maxFailedIndexes: 1 } },
      'unknown mode': { spec: { completionMode: 'Chaotic' } },
      'failure policy': {
        spec: {
          podFailurePolicy: {
            rules: [
              { action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } },
              { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
            ],
          },
        },
      },
      'bad failure policy': {
        spec: {
          podFailurePolicy: {
            rules: [
              { action: 'Explode' },
              { action: 'FailJob', onExitCodes: { operator: 'Of', values: [0, 0], containerName: 'none' } },
            ],
          },
        },
      },
      'failure policy with restarts': {
        spec: { template: { spec: { restartPolicy: 'OnFailure' } }, podFailurePolicy: { rules: [] } },
      },
      'success policy': {
        spec: { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '0-1' }] } },
      },
      'replacement policy': { spec: { podReplacementPolicy: 'Sometimes' } },
      suspended: { spec: { suspend: true } },
      'managed by': { spec: { managedBy: 'example.com/x' } },
      'bad managed by': { spec: { managedBy: 'x' } },
      'long name': { metadata: { name: LONG_LABEL } },
      'with finalizer and ttl': { metadata: { finalizers: ['example.com/x'] }, spec: { ttlSecondsAfterFinished: 0 } },
    }),
    ...updates(JOBS, JOB, {
      same: {},
      'another image': template({ containers: [{ ...CONTAINER, image: 'nginx:1.28' }] }),
      'more parallelism': { spec: { parallelism: 2 } },
      'more completions': { spec: { completions: 2 } },
      'another backoff limit': { spec: { backoffLimit: 2 } },
      'another deadline': { spec: { activeDeadlineSeconds: 100 } },
      'another mode': { spec: { completionMode: 'Indexed' } },
      suspended: { spec: { suspend: true } },
      'another selector': { spec: { selector: { matchLabels: { a: 'b' } } } },
    }),
    ...creates(CRON_JOBS, CRON_JOB, {
      minimal: {},
      'no spec': { spec: null },
      'no schedule': { spec: { schedule: null } },
      'bad schedule': { spec: { schedule: 'now and then' } },
      'schedule with seconds': { spec: { schedule: '0 0 0 0 0 0' } },
      'schedule out of range': { spec: { schedule: '61 * * * *' } },
      'schedule by name': { spec: { schedule: '@hourly' } },
      'schedule with a zone': { spec: { schedule: 'TZ=UTC 0 * * * *' } },
      'time zone': { spec: { timeZone: 'Etc/UTC' } },
      'bad time zone': { spec: { timeZone: 'Mars/Base' } },
      'empty time zone': { spec: { timeZone: '' } },
      'unknown concurrency': { spec: { concurrencyPolicy: 'Maybe' } },
      forbid: { spec: { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 10, suspend: true } },
      negative: { spec: { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 } },
      'long name': { metadata: { name: 'x'.repeat(53) } },
      'no job template': { spec: { jobTemplate: null } },
      'job template with a selector': { spec: { jobTemplate: { spec: { selector: { matchLabels: { a: 'b' } } } } } },
      'manual selector': { spec: { jobTemplate: { spec: { manualSelector: true } } } },
      'job template that restarts always': {
        spec: { jobTemplate: { spec: { template: { spec: { restartPolicy: 'Always' } } } } },
      },
    }),
    ...updates(CRON_JOBS, CRON_JOB, {
      'another schedule': { spec: { schedule: '0 0 * * *' } },
      'bad schedule': { spec: { schedule: 'x' } },
      'another template': { spec: { jobTemplate: { spec: { backoffLimit: 1 } } } },
    }),
  ],
};
