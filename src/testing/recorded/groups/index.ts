import type { RecordedGroup } from '../case.ts';
import { ACCESS } from './access.ts';
import { BAD_INPUT } from './bad-input.ts';
import { BATCH } from './batch.ts';
import { CONFIGURATION } from './configuration.ts';
import { CONTAINERS } from './containers.ts';
import { CRD_UPDATES } from './crd-updates.ts';
import { CRDS } from './crds.ts';
import { CUSTOM_UPDATES } from './custom-updates.ts';
import { CUSTOM_VALUES } from './custom-values.ts';
import { CUSTOM_VERSIONS } from './custom-versions.ts';
import { MAPS } from './maps.ts';
import { NETWORKING } from './networking.ts';
import { PODS } from './pods.ts';
import { POLICIES } from './policies.ts';
import { READING } from './reading.ts';
import { RULES } from './rules.ts';
import { SERVICES } from './services.ts';
import { STORAGE } from './storage.ts';
import { VOLUMES } from './volumes.ts';
import { WORKLOADS } from './workloads.ts';

/** All groups; each is recorded into a file of its name. */
export const RECORDED_GROUPS: readonly RecordedGroup[] = [
  ACCESS,
  BAD_INPUT,
  BATCH,
  CONFIGURATION,
  CONTAINERS,
  CRD_UPDATES,
  CRDS,
  CUSTOM_UPDATES,
  CUSTOM_VALUES,
  CUSTOM_VERSIONS,
  MAPS,
  NETWORKING,
  PODS,
  POLICIES,
  READING,
  RULES,
  SERVICES,
  STORAGE,
  VOLUMES,
  WORKLOADS,
];
