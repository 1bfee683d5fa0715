import { isWrite, type Step } from '../model/plan.ts';
import type { AppliedChange } from '../model/progress.ts';

/** In the place of carrying a step out: nothing is sent. The plan itself is the prediction. */
export async function foretell(step: Step): Promise<AppliedChange[]> {
  const outcome = { kind: 'not-tried', why: 'a shadow writes nothing' } as const;
  return step.waves.flatMap(({ changes }) => changes.filter(isWrite).map((change) => ({ change, outcome })));
}
