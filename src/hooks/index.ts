export { createHookCaller, type HookCallerOptions } from './caller.ts';
export type { HookLimits } from './runner.ts';
