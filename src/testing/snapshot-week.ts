// The example snapshot-schedule through a week of virtual time, for its test and for the benchmark: snapshots every six hours,
// each kept for fifty.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAKE_CLOCK_START } from './fake-clock.ts';
import { CONFIG_MAPS } from './objects.ts';
import { startVirtualDaemon, type VirtualDaemon } from './virtual-daemon.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/snapshot-schedule');
const HOUR = 3_600_000;
const MINUTE = 60_000;
const EVERY_HOURS = 6;
const KEPT_HOURS = 50;
const CLAIMS = { ...CONFIG_MAPS, kind: 'PersistentVolumeClaim', resource: 'persistentvolumeclaims' };
const SNAPSHOTS = {
  ...{ ...CONFIG_MAPS, group: 'snapshot.storage.k8s.io', version: 'v1' },
  ...{ kind: 'VolumeSnapshot', resource: 'volumesnapshots' },
};
const SCHEDULES = {
  ...{ ...CONFIG_MAPS, group: 'examples.metacontroller.io', version: 'v1' },
  ...{ kind: 'SnapshotSchedule', resource: 'snapshotschedules', subresources: ['status'] },
};

/** Something is due, and what is there when it is done. */
export interface Due {
  readonly hour: number;
  readonly snapshots: readonly string[];
}

export class SnapshotWeek {
  readonly #daemon: VirtualDaemon;
  readonly #directory: string;
  #hour = 0;
  /** When the last snapshot of the claim was taken. */
  #lastHour = Number.POSITIVE_INFINITY;

  private constructor(daemon: VirtualDaemon, directory: string) {
    this.#daemon = daemon;
    this.#directory = directory;
  }

  static async start(): Promise<SnapshotWeek> {
    const directory = await mkdtemp(join(tmpdir(), 'metactl-week-'));
    await cp(EXAMPLE, directory, { recursive: true });
    const schedule = join(directory, 'my-app.yaml');
    const text = await readFile(schedule, 'utf8');
    await writeFile(schedule, text.replace('snapshotTTL: 10d', `snapshotTTL: ${KEPT_HOURS}h`));
    const definitions = [join(directory, 'controller.yaml')];
    return new SnapshotWeek(await startVirtualDaemon({ inputs: [directory], definitions }), directory);
  }

  /** All that is due from now until then, in order. */
  *due(end: number): Iterable<Due> {
    for (let hour = this.#hour + 1; hour <= end; hour++) {
      const takes = hour % EVERY_HOURS === 0 && hour <= this.#lastHour;
      const drops =
        hour >= KEPT_HOURS && (hour - KEPT_HOURS) % EVERY_HOURS === 0 && hour - KEPT_HOURS <= this.#lastHour;
      if (takes || drops) yield { hour, snapshots: this.#alive(hour) };
    }
  }

  /** Everything is done that was due by then. */
  async moveTo(hour: number): Promise<void> {
    this.#hour = hour;
    // A snapshot is kept for fifty hours from when it was made: a minute after the hour, and however long the daemon needed.
    const late = hour % EVERY_HOURS === 0 ? MINUTE : 10 * MINUTE;
    await this.#daemon.moveTo(FAKE_CLOCK_START + hour * HOUR + late);
  }

  async deleteClaim(): Promise<void> {
    const { client } = this.#daemon;
    await client.write({ verb: 'delete', type: CLAIMS, fieldManager: 'someone', name: 'data', namespace: 'default' });
    this.#lastHour = Math.floor(this.#hour / EVERY_HOURS) * EVERY_HOURS;
    await this.#daemon.until('the claim is gone, and counted', async () => (await this.counts()).inputs === 0);
  }

  async snapshots(): Promise<string[]> {
    const { items } = await this.#daemon.client.list(SNAPSHOTS, { namespace: 'default' });
    return items.map(({ metadata }) => metadata.name ?? '').sort();
  }

  /** As the schedule's status says. */
  async counts(): Promise<{ readonly inputs: number; readonly outputs: number }> {
    const schedule = await this.#daemon.client.get(SCHEDULES, 'my-app', 'default');
    const { inputs, outputs } = (schedule?.['status'] ?? {}) as unknown as Counts;
    return { inputs: inputs.persistentvolumeclaims.total, outputs: outputs.volumesnapshots.total };
  }

  hookCalls(): Promise<Readonly<Record<string, number>>> {
    return this.#daemon.hookCalls();
  }

  async close(): Promise<void> {
    await this.#daemon.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #alive(hour: number): string[] {
    const hours = Array.from({ length: hour + 1 }, (_, made) => made);
    return hours
      .filter((made) => made % EVERY_HOURS === 0 && made <= this.#lastHour && made + KEPT_HOURS > hour)
      .map(nameOf);
  }
}

interface Counts {
  readonly inputs: { readonly persistentvolumeclaims: { readonly total: number } };
  readonly outputs: { readonly volumesnapshots: { readonly total: number } };
}

/** "data-20260102-0600": by the beginning of its interval. */
function nameOf(hour: number): string {
  const [day = '', time = ''] = new Date(FAKE_CLOCK_START + hour * HOUR).toISOString().split('T');
  return `data-${day.replaceAll('-', '')}-${time.slice(0, 2)}00`;
}
