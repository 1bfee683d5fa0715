import type { JsonObject } from '../../../kit/json.ts';
import { nanosOf } from '../../typed/quantity.ts';
import { fields, items } from '../report.ts';

const COUNTED = ['cpu', 'memory'];

/** How soon a pod is given up when its node runs short: Guaranteed, Burstable, BestEffort. */
export function qosClass(spec: JsonObject): string {
  const containers = [...items(spec['containers']), ...items(spec['initContainers'])];
  const resources = containers.map((container) => fields(container['resources']));
  const amount = (of: JsonObject, list: string, name: string): bigint => nanosOf(fields(of[list])[name]);
  const asked = resources.some((of) =>
    COUNTED.some((name) => amount(of, 'requests', name) > 0n || amount(of, 'limits', name) > 0n),
  );
  if (!asked) return 'BestEffort';
  const exact = resources.every((of) =>
    COUNTED.every((name) => {
      const limit = amount(of, 'limits', name);
      return limit > 0n && limit === amount(of, 'requests', name);
    }),
  );
  return exact ? 'Guaranteed' : 'Burstable';
}
