// How children and inputs are written, by flags of our own and by Metacontroller's names for the same.

import { Flags } from '@oclif/core';
import { parseFieldManager } from './flag-values.ts';
import { withVariables } from './flags.ts';
import { STRATEGIES, WRITE_MODES } from './write-options.ts';

const WRITING = 'WRITING';

/** A definition that says it in spec.apply keeps its word; --force-conflicts beats its rules. */
export const writeFlags = withVariables({
  'apply-mode': Flags.option({ options: WRITE_MODES })({
    summary: 'How children are written where their definition does not say: a merge by us, or server-side apply.',
    helpGroup: WRITING,
    exclusive: ['apply-strategy'],
  }),
  'field-manager': Flags.string({
    parse: async (text) => parseFieldManager(text),
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
    parse: async (text) => parseFieldManager(text),
    summary: "Metacontroller's word for --field-manager, for server-side-apply. Default then: metacontroller.",
    helpValue: 'NAME',
    helpGroup: WRITING,
    dependsOn: ['apply-strategy'],
    exclusive: ['field-manager'],
  }),
});
