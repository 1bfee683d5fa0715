export { Loop, type LoopOptions, type RoundReport } from './loop.ts';
export { type ParentKey, Parents, type ParentTarget, parentKeyOf } from './parents.ts';
export type { RoundPorts } from './round.ts';
export { type Settled, type SettleOptions, settle } from './settle.ts';
export type { GroupLoad, QueueObserver } from './work-set.ts';
