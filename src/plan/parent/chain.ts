import type { Change } from '../../model/plan.ts';
import { refKey } from '../../model/ref.ts';

/** Changes in the order of their waves: each starts from the result of the one before it on the same object. */
export function chained(changes: readonly Change[]): Change[] {
  const last = new Map<string, string>();
  return changes.map((change) => {
    const key = refKey(change.object);
    const earlier = last.get(key);
    if (change.verb !== undefined) last.set(key, change.id);
    if (earlier === undefined) return change;
    return {
      ...change,
      dependsOn: [...change.dependsOn, earlier],
      guards: [...change.guards, { kind: 'result-of', change: earlier }],
    };
  });
}
