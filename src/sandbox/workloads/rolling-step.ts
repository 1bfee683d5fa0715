import type { JsonValue } from '../../kit/json.ts';

interface SetSize {
  /** spec.replicas. */
  readonly size: number;
  /** status.availableReplicas. */
  readonly available: number;
}

export interface RollingState {
  readonly want: number;
  /** A number or a percentage of `want`; surge rounds up, unavailable down. */
  readonly maxSurge: JsonValue;
  readonly maxUnavailable: JsonValue;
  readonly fresh: SetSize;
  /** Oldest first. */
  readonly old: readonly SetSize[];
}

/** The next sizes of a Deployment's ReplicaSets: either the new one grows or the old ones shrink, within the limits. */
export function rollingStep(state: RollingState): { readonly fresh: number; readonly old: readonly number[] } {
  const { want, fresh, old } = state;
  const { surge, unavailable } = limits(state);
  const total = sum([fresh, ...old].map(({ size }) => size));
  if (fresh.size > want) return { fresh: want, old: old.map(({ size }) => size) };
  const growth = Math.min(want - fresh.size, want + surge - total);
  if (growth > 0) return { fresh: fresh.size + growth, old: old.map(({ size }) => size) };
  const floor = want - unavailable;
  const spare = total - floor - Math.max(0, fresh.size - fresh.available);
  const afterBroken = shrink(
    old.map(({ size, available }) => ({ size, removable: size - available })),
    spare,
  );
  const available = sum([fresh, ...old].map((set) => Math.min(set.size, set.available)));
  return {
    fresh: fresh.size,
    old: shrink(
      afterBroken.map((size) => ({ size, removable: size })),
      Math.min(spare - (sum(old.map(({ size }) => size)) - sum(afterBroken)), available - floor),
    ),
  };
}

function limits({ want, maxSurge, maxUnavailable }: RollingState): { surge: number; unavailable: number } {
  const surge = Math.ceil(amount(maxSurge, want));
  const unavailable = Math.min(want, Math.floor(amount(maxUnavailable, want)));
  // Both zero would never move.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

function amount(value: JsonValue, of: number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' && value.endsWith('%') ? Number(value.slice(0, -1)) : Number.NaN;
  return Number.isNaN(percent) ? 0 : (percent * of) / 100;
}

/** Takes at most `budget` from the sets in order, from each at most what is removable. */
function shrink(sets: readonly { size: number; removable: number }[], budget: number): readonly number[] {
  let left = Math.max(0, budget);
  return sets.map(({ size, removable }) => {
    const taken = Math.max(0, Math.min(size, removable, left));
    left -= taken;
    return size - taken;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
