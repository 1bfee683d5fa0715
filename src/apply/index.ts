export { type ExecuteOptions, type ExecutePorts, executeChanges, executeStep } from './execute.ts';
