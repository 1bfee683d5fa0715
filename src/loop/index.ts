export type { ParentTarget } from './parents.ts';
export { type Settled, type SettleOptions, settle } from './settle.ts';
