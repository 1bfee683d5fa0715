// Snapshots of one claim at a time.
// - Time is cut into intervals, the same for all claims; each interval has one snapshot, named by its beginning. So a snapshot that
//   is asked for twice is still one, and after a pause there is one snapshot, not one for each interval that was missed.
// - A claim that is being deleted gets no new ones.
// - A snapshot goes when its time to live is over, whether its claim is still there (map) or not (tombstone).
// - The answer says when it will be another one, as nothing in the cluster changes by then.

import { type Desired, defineMap, outputsOf, type PersistentVolumeClaim } from 'metactl';
import type { SnapshotSchedule, VolumeSnapshot } from './types.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const { map, tombstone } = defineMap<SnapshotSchedule, PersistentVolumeClaim, VolumeSnapshot>({
  map: (request, context) => {
    const { parent, input: claim } = request;
    const now = Date.parse(context.now);
    const interval = milliseconds(parent.spec.snapshotInterval);
    const begun = now - (now % interval);
    const { alive, nextEnd } = living(outputsOf(request, 'snapshot.storage.k8s.io/v1', 'VolumeSnapshot'), parent, now);
    const names = alive.map(({ metadata }) => metadata.name);
    const current = `${claim.metadata.name}-${stamp(begun)}`;
    if (!names.includes(current) && claim.metadata.deletionTimestamp === undefined) names.push(current);
    return {
      outputs: names.map((name) => snapshot(name, claim)),
      resyncAfterSeconds: seconds(Math.min(begun + interval, nextEnd) - now),
    };
  },

  tombstone: (request, context) => {
    const now = Date.parse(context.now);
    const left = outputsOf(request, 'snapshot.storage.k8s.io/v1', 'VolumeSnapshot');
    const { alive, nextEnd } = living(left, request.parent, now);
    return { outputs: alive, ...(alive.length > 0 ? { resyncAfterSeconds: seconds(nextEnd - now) } : {}) };
  },
});

function snapshot(name: string, claim: PersistentVolumeClaim): Desired<VolumeSnapshot> {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name },
    spec: { source: { persistentVolumeClaimName: claim.metadata.name } },
  };
}

/** Those that stay for now, and when the first of them will not. */
function living(snapshots: readonly VolumeSnapshot[], { spec }: SnapshotSchedule, now: number) {
  const ttl = milliseconds(spec.snapshotTTL);
  const end = ({ metadata }: VolumeSnapshot): number => Date.parse(metadata.creationTimestamp ?? '') + ttl;
  const alive = snapshots.filter((one) => end(one) > now);
  return { alive, nextEnd: Math.min(...alive.map(end)) };
}

/** Of "90m", "6h", "10d": the CRD lets nothing else pass. */
function milliseconds(text: string): number {
  return Number(text.slice(0, -1)) * UNITS[text.at(-1) as keyof typeof UNITS];
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** "20260101-0600" */
function stamp(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replaceAll('-', '').replace('T', '-').replace(':', '');
}
