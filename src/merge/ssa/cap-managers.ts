// No more than ten entries of updates: the oldest of each version are merged into one, called ancient-changes.

import { union } from './field-set.ts';
import { compareText } from './go-text.ts';
import { type Managed, managerId } from './managed-entries.ts';

const MOST_UPDATERS = 10;

export function capManagers(managed: Managed): Managed {
  const managers = new Map(managed.managers);
  const updaters = [...managers].filter(([, { applied }]) => !applied).map(([id]) => id);
  if (updaters.length <= MOST_UPDATERS) return managed;
  const times = new Map(managed.times);
  const age = (id: string): string => times.get(id) ?? '';
  updaters.sort((a, b) => compareText(age(a), age(b)) || compareText(a, b));
  const first = new Map<string, string>();
  let left = updaters.length;
  for (const id of updaters) {
    if (left <= MOST_UPDATERS) break;
    const manager = managers.get(id);
    if (manager === undefined) continue;
    const { apiVersion } = manager;
    const oldest = first.get(apiVersion);
    if (oldest === undefined) {
      first.set(apiVersion, id);
      continue;
    }
    const bucket = managerId({ manager: 'ancient-changes', operation: 'Update', apiVersion });
    const gathered = managers.get(bucket) ?? managers.get(oldest);
    if (!managers.has(bucket)) managers.delete(oldest);
    const set = gathered === undefined ? manager.set : union(manager.set, gathered.set);
    managers.delete(id);
    managers.set(bucket, { ...manager, set });
    left -= 1;
    const time = times.get(id);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  return { ...managed, managers, times };
}
