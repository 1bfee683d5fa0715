// The spec of a claim, of its own, in a StatefulSet or for an ephemeral volume.

import type { JsonObject } from '../../../kit/json.ts';
import { subdomainProblems } from '../../meta/names.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { checkSelector } from '../names.ts';
import { fields, optional, present, type Report, text, texts } from '../report.ts';

export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

export function checkAccessModes(report: Report, path: string, modes: readonly string[]): void {
  for (const mode of modes) report.oneOf(path, mode, ACCESS_MODES);
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes.includes('ReadWriteOncePod') && others.length > 0)
    report.forbidden(path, 'may not use ReadWriteOncePod with other access modes');
}

export function checkClaimSpec(report: Report, path: string, spec: JsonObject): void {
  const modes = texts(spec['accessModes']);
  if (modes.length === 0) report.required(`${path}.accessModes`, 'at least 1 access mode is required');
  if (present(spec['selector'])) checkSelector(report, `${path}.selector`, spec['selector']);
  checkAccessModes(report, `${path}.accessModes`, modes);
  const size = fields(fields(spec['resources'])['requests'])['storage'];
  if (size === undefined) report.required(`${path}.resources[storage]`);
  else if (nanosOf(size) <= 0n) report.invalid(`${path}.resources[storage]`, size, 'must be greater than zero');
  checkClassName(report, `${path}.storageClassName`, spec);
  const mode = spec['volumeMode'];
  if (present(mode)) report.oneOf(`${path}.volumeMode`, mode, VOLUME_MODES);
  for (const name of ['dataSource', 'dataSourceRef']) {
    const source = optional(spec[name]);
    if (source) checkDataSource(report, `${path}.${name}`, source);
  }
}

export function checkClassName(report: Report, path: string, spec: JsonObject): void {
  const name = text(spec['storageClassName']);
  if (name !== '') report.invalidBy(path, name, subdomainProblems(name));
}

function checkDataSource(report: Report, path: string, source: JsonObject): void {
  const kind = text(source['kind']);
  const group = text(source['apiGroup']);
  if (text(source['name']) === '') report.required(`${path}.name`);
  if (kind === '') report.required(`${path}.kind`);
  if (group !== '') report.invalidBy(`${path}.apiGroup`, group, subdomainProblems(group));
  else if (kind !== 'PersistentVolumeClaim')
    report.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
}
