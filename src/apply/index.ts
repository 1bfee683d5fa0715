export { type ExecuteOptions, executeChanges, executeStep } from './execute.ts';
export { isPermanent, readFailureOf } from './failure.ts';
export type { ExecutePorts } from './send.ts';
