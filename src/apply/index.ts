export { type ExecuteOptions, executeChanges, executeStep } from './execute.ts';
export type { ExecutePorts } from './send.ts';
