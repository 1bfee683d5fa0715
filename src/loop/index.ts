export type { ParentTarget } from './parents.ts';
export { type Settled, type SettleOptions, type SettlePorts, settle } from './settle.ts';
