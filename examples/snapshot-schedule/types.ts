// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.
// SnapshotSchedule of examples.metacontroller.io: v1
// VolumeSnapshot of snapshot.storage.k8s.io: v1

import type { Metadata } from 'metactl';

export interface SnapshotSchedule {
  apiVersion: 'examples.metacontroller.io/v1';
  kind: 'SnapshotSchedule';
  metadata: Metadata;
  spec: SnapshotScheduleSpec;
  /** Written by metactl, which counts inputs and outputs. */
  status?: { [key: string]: unknown };
}

export interface SnapshotScheduleSpec {
  /** Minutes, hours or days, as in 90m, 6h or 10d. */
  snapshotInterval: string;
  /** Minutes, hours or days, as in 90m, 6h or 10d. */
  snapshotTTL: string;
  /** The claims, by their labels. Empty, all in the namespace. */
  selector?: SnapshotScheduleSpecSelector;
}

/** The claims, by their labels. Empty, all in the namespace. */
export interface SnapshotScheduleSpecSelector {
  matchLabels?: { [key: string]: string };
  matchExpressions?: SnapshotScheduleSpecSelectorMatchExpressionsItem[];
}

export interface SnapshotScheduleSpecSelectorMatchExpressionsItem {
  key: string;
  operator: string;
  values?: string[];
}

export interface VolumeSnapshot {
  apiVersion: 'snapshot.storage.k8s.io/v1';
  kind: 'VolumeSnapshot';
  metadata: Metadata;
  spec: VolumeSnapshotSpec;
  status?: VolumeSnapshotStatus;
}

export interface VolumeSnapshotSpec {
  volumeSnapshotClassName?: string;
  source: VolumeSnapshotSpecSource;
}

export interface VolumeSnapshotSpecSource {
  persistentVolumeClaimName?: string;
  volumeSnapshotContentName?: string;
}

export interface VolumeSnapshotStatus {
  readyToUse?: boolean;
  creationTime?: string;
}
