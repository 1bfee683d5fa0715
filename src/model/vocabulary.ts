// The closed lists of plan words. One file defines them; docs/GLOSSARY.md explains them; plan.v1.json is checked against it.

export const ACTIONS = [
  'create',
  'update',
  'recreate',
  'delete',
  'adopt',
  'release',
  'status',
  'keep',
  'skip',
  'blocked',
] as const;
export type Action = (typeof ACTIONS)[number];

export const REASONS = [
  'hook_returned',
  'hook_dropped',
  'drift',
  'revision_change',
  'immutable_field',
  'on_delete',
  'paused_by_gate',
  'wave_not_reached',
  'not_owned',
  'ignored_only',
  'conflict',
  'orphan_policy',
  'adopt',
  'guard',
  'unknown_dependency',
] as const;
export type Reason = (typeof REASONS)[number];

/** Waves of a step, in the order in which they are carried out. `inputs` is what -f brings besides definitions. */
export const WAVES = [
  'inputs',
  'finalizer-add',
  'claim',
  'revision',
  'children',
  'status',
  'finalizer-remove',
] as const;
export type WaveName = (typeof WAVES)[number];

/** How sure a planned change is, surest first: see docs/GLOSSARY.md, "fidelity". */
export const FIDELITIES = ['server', 'schema', 'client', 'modelled', 'unknown'] as const;
export type FidelityLevel = (typeof FIDELITIES)[number];

export const RESULTS = ['done', 'retry', 'stale', 'blocked', 'terminal'] as const;
export type ResultKind = (typeof RESULTS)[number];
