// How children and inputs are written, by flags of our own and by Metacontroller's names for the same.

import { Flags } from '@oclif/core';
import type { PlanOptions } from '../app/index.ts';
import { withVariables } from './flags.ts';

const WRITING = 'WRITING';
export const WRITE_MODES = ['dynamic', 'server-side'] as const;
const STRATEGIES = ['dynamic-apply', 'server-side-apply'] as const;
/** Metacontroller's default. */
const ITS_FIELD_MANAGER = 'metacontroller';

/** A definition that says it in spec.apply keeps its word; --force-conflicts beats its rules. */
export const writeFlags = withVariables({
  'apply-mode': Flags.option({ options: WRITE_MODES })({
    summary: 'How children are written where their definition does not say: a merge by us, or server-side apply.',
    helpGroup: WRITING,
    exclusive: ['apply-strategy'],
  }),
  'field-manager': Flags.string({
    summary: 'The field manager of what is written, where the definition does not say. Default: metactl.',
    helpValue: 'NAME',
    helpGroup: WRITING,
  }),
  'force-conflicts': Flags.boolean({
    summary: 'Server-side apply takes fields that belong to other managers.',
    helpGroup: WRITING,
  }),
  'apply-strategy': Flags.option({ options: STRATEGIES })({
    summary: "Metacontroller's word for --apply-mode; its server-side-apply forces, too.",
    helpGroup: WRITING,
  }),
  'apply-strategy-ssa-field-manager': Flags.string({
    summary: "Metacontroller's word for --field-manager, for server-side-apply. Default then: metacontroller.",
    helpValue: 'NAME',
    helpGroup: WRITING,
    dependsOn: ['apply-strategy'],
    exclusive: ['field-manager'],
  }),
});

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
