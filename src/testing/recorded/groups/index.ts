import type { RecordedGroup } from '../case.ts';
import { ACCESS } from './access.ts';
import { BATCH } from './batch.ts';
import { CONFIGURATION } from './configuration.ts';
import { CONTAINERS } from './containers.ts';
import { NETWORKING } from './networking.ts';
import { PODS } from './pods.ts';
import { POLICIES } from './policies.ts';
import { READING } from './reading.ts';
import { SERVICES } from './services.ts';
import { STORAGE } from './storage.ts';
import { VOLUMES } from './volumes.ts';
import { WORKLOADS } from './workloads.ts';

/** All groups; each is recorded into a file of its name. */
export const RECORDED_GROUPS: readonly RecordedGroup[] = [
  ACCESS,
  BATCH,
  CONFIGURATION,
  CONTAINERS,
  NETWORKING,
  PODS,
  POLICIES,
  READING,
  SERVICES,
  STORAGE,
  VOLUMES,
  WORKLOADS,
];
