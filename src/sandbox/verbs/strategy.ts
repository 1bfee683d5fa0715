// What a kind adds to an object before it is stored, and what it refuses: of CRDs in ../crd, of other built-ins in ../kinds.

import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { type CustomCheck, customCreateProblems, customUpdateProblems } from '../crd/custom-problems.ts';
import { CRD_ID } from '../crd/kind.ts';
import { changedCrd, defaultCrd, newCrd } from '../crd/prepare.ts';
import { crdProblems, crdUpdateProblems, formatWarnings } from '../crd/validate.ts';
import type { FieldProblem } from '../http/status-error.ts';
import { withEncodedData } from '../kinds/configuration/config.ts';
import { rulesOf } from '../kinds/index.ts';
import { Report } from '../kinds/report.ts';
import { withOwnGeneration } from '../kinds/workloads/apps.ts';
import { hasStatus, type ResourceKind } from '../registry/resource-kind.ts';
import { zeroStatus } from '../typed/normalize.ts';

/** A request's object as the server's own types hold it: some fields are only for writing, or filled in on reading. */
export function internalForm(kind: ResourceKind, object: KubeObject): KubeObject {
  if (kind.id === 'secrets') return withEncodedData(object);
  if (kind.id === 'daemonsets.apps') return withOwnGeneration(object);
  return kind.id === CRD_ID ? defaultCrd(object) : object;
}

/** Without the status that a create may not set, with what the kind adds. */
export function prepareCreate(core: Core, kind: ResourceKind, object: KubeObject): KubeObject {
  const bare = hasStatus(kind) ? withoutStatus(object) : object;
  if (kind.custom) return bare;
  if (kind.id === CRD_ID) return newCrd(bare);
  const { create, keepsStatus } = rulesOf(kind.id);
  const fresh = hasStatus(kind) && !keepsStatus ? withZeroStatus(kind, bare) : object;
  return create?.(core, fresh) ?? fresh;
}

function withZeroStatus(kind: ResourceKind, object: KubeObject): KubeObject {
  return { ...object, status: zeroStatus(object.apiVersion, kind.kind) ?? {} };
}

function withoutStatus(object: KubeObject): KubeObject {
  const { status: _status, ...rest } = object;
  return rest as KubeObject;
}

/** The same for an update of the main resource: status stays, what the server manages stays. */
export function prepareUpdate(core: Core, kind: ResourceKind, before: KubeObject, after: KubeObject): KubeObject {
  const withOldStatus = hasStatus(kind) ? keepStatus(before, after) : after;
  if (kind.custom) return withOldStatus;
  if (kind.id === CRD_ID) return changedCrd(withOldStatus);
  return rulesOf(kind.id).update?.(core, before, withOldStatus) ?? withOldStatus;
}

function keepStatus(before: KubeObject, after: KubeObject): KubeObject {
  const bare = withoutStatus(after);
  return before['status'] === undefined ? bare : { ...bare, status: before['status'] };
}

/** A write of the status subresource: of a custom resource only status, of a built-in also what its strategy lets through. */
export function statusUpdate(kind: ResourceKind, before: KubeObject, after: KubeObject): KubeObject {
  const status = after['status'] === undefined ? {} : { status: after['status'] };
  if (kind.custom) return { ...withoutStatus(before), ...status };
  const metadata = {
    ...after.metadata,
    ...(kind.id === 'deployments.apps' ? { labels: before.metadata.labels } : {}),
    ...(kind.id === 'pods' ? { ownerReferences: before.metadata.ownerReferences } : {}),
  };
  const next = { ...withoutStatus(before), metadata, ...status } as KubeObject;
  return kind.id === CRD_ID ? changedCrd(next) : next;
}

/** A write of the finalize subresource: all but status, finalizers of spec among it. */
export function finalizeUpdate(before: KubeObject, after: KubeObject): KubeObject {
  return keepStatus(before, after) as KubeObject;
}

/** What checks depend on besides the object. */
export type RequestCheck = Omit<CustomCheck, 'kind'>;

export function createProblems(kind: ResourceKind, object: KubeObject, check: RequestCheck): FieldProblem[] {
  if (kind.custom) return customCreateProblems({ kind, ...check }, object);
  if (kind.id === CRD_ID) {
    check.warnings.push(...formatWarnings(undefined, object));
    return crdProblems(object);
  }
  const report = new Report();
  rulesOf(kind.id).check?.(report, object);
  return reported(report, check);
}

/** Of an object that is refused nothing is warned. */
function reported(report: Report, check: RequestCheck): FieldProblem[] {
  if (report.clean) check.warnings.push(...report.warnings);
  return report.problems;
}

export function kindUpdateProblems(
  kind: ResourceKind,
  before: KubeObject,
  after: KubeObject,
  check: RequestCheck,
): FieldProblem[] {
  if (kind.custom) return customUpdateProblems({ kind, ...check }, before, after);
  if (kind.id === CRD_ID && !check.subresource) {
    check.warnings.push(...formatWarnings(before, after));
    return crdUpdateProblems(before, after);
  }
  const rules = rulesOf(kind.id);
  const report = new Report();
  if (check.subresource) rules.checkStatus?.(report, before, after);
  else if (rules.checkUpdate) rules.checkUpdate(report, before, after);
  else rules.check?.(report, after);
  return reported(report, check);
}
