// CronJob.

import type { JsonObject } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { fields, present, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';
import { checkJobSpec } from './jobs.ts';
import { scheduleProblem } from './schedule.ts';

function check(report: Report, object: KubeObject): void {
  const spec = fields(object['spec']);
  checkSchedule(report, spec);
  report.notNegative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']);
  const zone = spec['timeZone'];
  if (present(zone)) checkZone(report, text(zone));
  report.oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']);
  const job = fields(fields(spec['jobTemplate'])['spec']);
  const path = 'spec.jobTemplate.spec';
  checkJobSpec(report, path, job);
  if (present(job['selector']))
    report.invalid(`${path}.selector`, job['selector'], '`selector` will be auto-generated');
  if (job['manualSelector'] === true) {
    const message = 'Unsupported value: true: supported values: "nil", "false"';
    report.add(`${path}.manualSelector`, 'FieldValueNotSupported', message);
  }
  report.notNegative('spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit']);
  report.notNegative('spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit']);
}

function checkSchedule(report: Report, spec: JsonObject): void {
  const schedule = text(spec['schedule']);
  if (schedule === '') {
    report.required('spec.schedule');
    return;
  }
  if (schedule.includes('TZ')) {
    const detail = present(spec['timeZone'])
      ? 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
      : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    report.invalid('spec.schedule', schedule, detail);
    return;
  }
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) report.invalid('spec.schedule', schedule, problem);
}

function checkZone(report: Report, zone: string): void {
  const path = 'spec.timeZone';
  if (zone === '') {
    report.invalid(path, zone, 'timeZone must be nil or non-empty string');
    return;
  }
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    report.invalid(path, zone, detail);
    return;
  }
  if (!isZone(zone)) report.invalid(path, zone, `unknown time zone ${zone}`);
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false; // RangeError is the only way in which Intl says so
  }
}

export const CRON_JOB: KindRules = {
  check: (report, object) => {
    const { name = '' } = object.metadata;
    if (name.length > 52) report.invalid('metadata.name', name, 'must be no more than 52 characters');
    check(report, object);
  },
  checkUpdate: (report, _before, after) => check(report, after),
};
