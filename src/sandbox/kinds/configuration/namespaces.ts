// Namespace: its finalizers. What else is special of namespaces stands in ../../namespaces.

import type { KubeObject } from '../../../model/object.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import { keepNamespace, prepareNamespace } from '../../namespaces/rules.ts';
import { fields, type Report, texts } from '../report.ts';
import type { KindRules } from '../rules.ts';

function check(report: Report, object: KubeObject): void {
  for (const finalizer of texts(fields(object['spec'])['finalizers'])) {
    report.invalidBy('spec.finalizers', finalizer, qualifiedNameProblems(finalizer));
    if (!finalizer.includes('/') && finalizer !== 'kubernetes' && finalizer !== 'orphan') {
      const detail = 'name is neither a standard finalizer name nor is it fully qualified';
      report.invalid('spec.finalizers', finalizer, detail);
    }
  }
}

export const NAMESPACE: KindRules = {
  create: (_core, object) => prepareNamespace(object),
  update: (_core, before, after) => keepNamespace(before, after),
  check,
};
