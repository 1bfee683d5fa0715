export type { ReadinessModel } from './models.ts';
export { startWorkloads } from './simulator.ts';
