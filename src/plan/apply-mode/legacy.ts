// Who wrote objects of ours before, and where that is recorded.

import { LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import { KUBECTL_APPLY, ourManagers } from './managers.ts';

export interface AppliedRecord {
  readonly annotation: string;
  /** Whose updates are what it records. */
  readonly managers: readonly string[];
}

export interface Legacy {
  /** What stands in these was applied by us, or for us: all of it is ours to prune. */
  readonly records: readonly AppliedRecord[];
  /** Names that we applied under: what they own is ours. */
  readonly appliers: readonly string[];
  /** Names that wrote it before us by updates, without a record that counts: they give way where we apply the same. */
  readonly writers: readonly string[];
}

/** Of inputs: the files of one who moves over from `kubectl apply` say all that was applied. */
export function legacyOfInputs(fieldManager: string): Legacy {
  const { annotation, manager } = KUBECTL_APPLY;
  return { records: [{ annotation, managers: [manager] }], appliers: [fieldManager], writers: [] };
}

/** Of children: what a hook returns is another source than what somebody gave kubectl, whose other fields stay. */
export function legacyOfChildren(fieldManager: string): Legacy {
  const ours = ourManagers(fieldManager);
  return {
    records: [{ annotation: LAST_APPLIED_ANNOTATION, managers: ours }],
    appliers: ours,
    writers: [...ours, KUBECTL_APPLY.manager],
  };
}
