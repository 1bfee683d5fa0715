import { formatTime } from '../../kit/clock.ts';
import type { KubeObject } from '../../model/object.ts';
import type { WorkloadApi } from '../workload-api.ts';
import type { ReadinessModel } from './models.ts';

/** The one node that everything runs on. There is no Node object behind it. */
export const NODE_NAME = 'sandbox-node';

/** What every controller of the simulator gets to see. */
export interface Context {
  readonly api: WorkloadApi;
  readonly models: readonly ReadinessModel[];
  /** Milliseconds since the epoch, on the sandbox's clock. */
  readonly now: number;
  /** When the object was created: to the millisecond if that was seen, else from its creationTimestamp. */
  createdAt(object: KubeObject): number;
  /** An address that no other pod has. */
  nextPodIP(): string;
}

/** The time now as Kubernetes writes it. */
export const timestamp = (context: Context): string => formatTime(context.now);

/**
 * Brings the world one look closer to what the object asks for, from nothing but the state (level-triggered). Returns
 * the milliseconds after which to look again although nothing has changed; undefined: no need.
 */
export type Controller = (context: Context, object: KubeObject) => number | undefined;

/** The earlier of two moments to look again. */
export function sooner(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
