// StorageClass.

import { jsonEqual } from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import { fields, IMMUTABLE, items, keysOf, present, type Report, text, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

const PARAMETERS_LIMIT = 256 * 1024;

function check(report: Report, object: KubeObject): void {
  const provisioner = text(object['provisioner']);
  if (provisioner === '') report.required('provisioner');
  else report.invalidBy('provisioner', provisioner, qualifiedNameProblems(provisioner.toLowerCase()));
  checkParameters(report, object);
  report.oneOf('reclaimPolicy', object['reclaimPolicy'], ['Delete', 'Retain']);
  if (!present(object['volumeBindingMode'])) report.required('volumeBindingMode');
  else report.oneOf('volumeBindingMode', object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']);
  for (const [index, term] of items(object['allowedTopologies']).entries()) {
    for (const [e, requirement] of items(term['matchLabelExpressions']).entries()) {
      const path = `allowedTopologies[${index}].matchLabelExpressions[${e}]`;
      const key = text(requirement['key']);
      if (texts(requirement['values']).length === 0) report.required(`${path}.values`);
      report.invalidBy(`${path}.key`, key, qualifiedNameProblems(key));
    }
  }
}

function checkParameters(report: Report, object: KubeObject): void {
  const parameters = fields(object['parameters']);
  let size = 0;
  for (const name of keysOf(parameters)) {
    if (name === '') report.invalid('parameters', name, 'field can not be empty.');
    size += name.length + text(parameters[name]).length;
  }
  if (size > PARAMETERS_LIMIT) report.tooLong('parameters', PARAMETERS_LIMIT);
}

const FIXED = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'];

function checkUpdate(report: Report, before: KubeObject, after: KubeObject): void {
  check(report, after);
  for (const name of FIXED) {
    if (!jsonEqual(before[name], after[name])) report.invalid(name, after[name], IMMUTABLE);
  }
}

export const CLASS: KindRules = { check, checkUpdate };
