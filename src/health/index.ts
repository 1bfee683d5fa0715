// The door of health: is an object in the state that it asks for, and if not, why. With it the readers of a status that
// others (the sandbox's controllers) need as well.

export { conditionOf, numberAt, objectsAt, textAt, valueAt } from './fields.ts';
export { type HealthOptions, healthOf } from './health.ts';
export type { Health, HealthState } from './state.ts';
