export { type ExecuteOptions, executeChanges, executeStep } from './execute.ts';
export { isPermanent, readFailureOf } from './failure.ts';
export { maskedWriteOf } from './masked-write.ts';
export type { ExecutePorts } from './ports.ts';
