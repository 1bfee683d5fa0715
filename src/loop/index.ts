export { type ParentTarget, type Settled, type SettleOptions, type SettlePorts, settle } from './settle.ts';
