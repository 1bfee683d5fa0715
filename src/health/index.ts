// The door of health: is an object in the state that it asks for, and if not, why.

export { type HealthOptions, healthOf } from './health.ts';
export type { Health, HealthState } from './state.ts';
