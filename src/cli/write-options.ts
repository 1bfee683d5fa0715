// From the flags of write-flags.ts to what the use cases take.

import type { PlanOptions } from '../app/index.ts';

export const WRITE_MODES = ['dynamic', 'server-side'] as const;
export const STRATEGIES = ['dynamic-apply', 'server-side-apply'] as const;
/** Metacontroller's default. */
const ITS_FIELD_MANAGER = 'metacontroller';

export interface WriteFlagValues {
  readonly 'apply-mode'?: (typeof WRITE_MODES)[number] | undefined;
  readonly 'field-manager'?: string | undefined;
  readonly 'force-conflicts'?: boolean | undefined;
  readonly 'apply-strategy'?: (typeof STRATEGIES)[number] | undefined;
  readonly 'apply-strategy-ssa-field-manager'?: string | undefined;
}

type ApplyOptions = Pick<PlanOptions, 'applyMode' | 'fieldManager' | 'forceConflicts'>;

export function writeOptionsOf(flags: WriteFlagValues): ApplyOptions {
  const strategy = flags['apply-strategy'];
  const server = strategy === 'server-side-apply';
  const applyMode = strategy === undefined ? flags['apply-mode'] : server ? 'server-side' : 'dynamic';
  const itsManager = server ? (flags['apply-strategy-ssa-field-manager'] ?? ITS_FIELD_MANAGER) : undefined;
  const fieldManager = flags['field-manager'] ?? itsManager;
  return {
    ...(applyMode === undefined ? {} : { applyMode }),
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(flags['force-conflicts'] || server ? { forceConflicts: true } : {}),
  };
}
