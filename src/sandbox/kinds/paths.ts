// Rules for paths inside of volumes and on nodes.

import type { Report } from './report.ts';

export function checkNoBacksteps(report: Report, path: string, target: string): void {
  if (target.split('/').includes('..')) report.invalid(path, target, "must not contain '..'");
}

export function checkRelative(report: Report, path: string, target: string): void {
  if (target.startsWith('/')) report.invalid(path, target, 'must be a relative path');
  checkNoBacksteps(report, path, target);
}

/** Relative, and not one of the names that the kubelet keeps for itself. */
export function checkRelativeFile(report: Report, path: string, target: string): void {
  checkRelative(report, path, target);
  if (target.startsWith('..') && !target.startsWith('../')) report.invalid(path, target, "must not start with '..'");
}
