export { createHookCaller, type HookCallerOptions } from './caller.ts';
export type { HookCluster, ServiceReach } from './cluster-access.ts';
export { type Patience, patientHooks } from './patience.ts';
export { type HookPolicy, restrictHooks } from './restrict.ts';
export type { HookLimits } from './runner.ts';
export { namedService } from './webhook/service-route.ts';
