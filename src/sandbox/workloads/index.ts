export type { ReadinessModel } from './models.ts';
export { startWorkloads, type WorkloadOptions } from './simulator.ts';
