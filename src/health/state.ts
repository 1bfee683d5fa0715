import type { KubeObject } from '../model/object.ts';

/** kstatus's words. */
export type HealthState = 'Current' | 'InProgress' | 'Failed' | 'Terminating' | 'NotFound' | 'Unknown';

export interface Health {
  readonly state: HealthState;
  /** One line: what is missing, or what was reached. */
  readonly message: string;
}

/** What one kind makes of an object that is not being deleted and whose controller is not behind. */
export type HealthRule = (object: KubeObject) => Health;

export const current = (message: string): Health => ({ state: 'Current', message });
export const inProgress = (message: string): Health => ({ state: 'InProgress', message });
export const failed = (message: string): Health => ({ state: 'Failed', message });
