import { digestOf } from '../../kit/hash.ts';
import type { DryRunNeed } from '../../model/need.ts';
import { bodyForUpdate } from './apply-body.ts';
import { contentOf } from './same-content.ts';

interface Trial extends Pick<DryRunNeed, 'observed' | 'type' | 'fieldManager' | 'force'> {
  readonly desired: DryRunNeed['object'];
}

/** Its id stays as long as neither what is applied changes nor what it is applied to: so does the answer. */
export function dryRunNeed({ observed, desired, type, fieldManager, force }: Trial): DryRunNeed {
  const id = `dry-run-${digestOf([fieldManager, force, desired, contentOf(observed, type)])}`;
  return { kind: 'dry-run', id, type, object: bodyForUpdate(desired, observed), observed, fieldManager, force };
}
