// What becomes of a pod that nobody really runs. A model is a function of the pod's age alone, so the same history gives
// the same states, and a sandbox that was closed and opened again goes on where it would have been.

interface Selected {
  /** The pods that the model is for, by their labels; absent: all pods. */
  readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
}

export type ReadinessModel =
  /** Pending, then Running and Ready (a Job's pod: Succeeded) `seconds` after its creation. */
  | (Selected & { readonly kind: 'ready-after'; readonly seconds: number })
  /** Running at once, never Ready. */
  | (Selected & { readonly kind: 'never' })
  /** Its containers wait with this reason ("ImagePullBackOff"); where nothing restarts them the pod ends as Failed. */
  | (Selected & { readonly kind: 'fail'; readonly reason: string })
  /** Ready for upSeconds, not Ready for downSeconds, and so on. */
  | (Selected & { readonly kind: 'flap'; readonly upSeconds: number; readonly downSeconds: number });

export const DEFAULT_MODEL: ReadinessModel = { kind: 'ready-after', seconds: 1 };

export type PodPhase =
  | { readonly is: 'creating' | 'running' | 'ready' }
  | { readonly is: 'failed'; readonly reason: string };

export interface PodForecast {
  readonly phase: PodPhase;
  /** Milliseconds until the phase changes; absent: it stays. */
  readonly changesIn?: number;
}

/** The first model whose selector matches. */
export function modelFor(
  models: readonly ReadinessModel[],
  labels: Readonly<Record<string, string>> = {},
): ReadinessModel {
  const matches = ({ selector }: ReadinessModel): boolean =>
    Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return models.find(matches) ?? DEFAULT_MODEL;
}

/** The phase of a pod `age` milliseconds after its creation. */
export function phaseAt(model: ReadinessModel, age: number): PodForecast {
  if (model.kind === 'never') return { phase: { is: 'running' } };
  if (model.kind === 'fail') return { phase: { is: 'failed', reason: model.reason } };
  if (model.kind === 'flap') return flapAt(age, model.upSeconds * 1_000, model.downSeconds * 1_000);
  const left = model.seconds * 1_000 - age;
  return left > 0 ? { phase: { is: 'creating' }, changesIn: left } : { phase: { is: 'ready' } };
}

function flapAt(age: number, up: number, down: number): PodForecast {
  // A model without one of its halves does not flap.
  if (down <= 0) return { phase: { is: 'ready' } };
  if (up <= 0) return { phase: { is: 'running' } };
  const place = Math.max(0, age) % (up + down);
  return place < up
    ? { phase: { is: 'ready' }, changesIn: up - place }
    : { phase: { is: 'running' }, changesIn: up + down - place };
}
