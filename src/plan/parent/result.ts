// Puts changes into waves and says how it stands with the parent when they are carried out.

import { healthOf } from '../../health/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { type Change, isWrite, type ParentPlan, type Result, type Step, type WaitingOn } from '../../model/plan.ts';
import { refKey, refOf } from '../../model/ref.ts';
import { WAVES } from '../../model/vocabulary.ts';
import type { Retry } from '../consult/counsel.ts';

export interface Parts extends Omit<ParentPlan, 'steps' | 'result'> {
  readonly changes: readonly Change[];
  readonly waitingOn: readonly WaitingOn[];
  readonly resyncAfterSeconds?: number;
  readonly retry?: Retry;
}

export function assemble({ changes, waitingOn, resyncAfterSeconds, retry, ...rest }: Parts): ParentPlan {
  const kind = changes.some(({ action }) => action === 'blocked')
    ? 'blocked'
    : changes.some(isWrite)
      ? 'retry'
      : 'done';
  const result = { kind, waitingOn, ...(resyncAfterSeconds === undefined ? {} : { resyncAfterSeconds }) } as const;
  return { ...rest, steps: stepsOf(changes), result: retry ? retrying(retry, waitingOn) : result };
}

/** When the hook is asked again comes before whatever another one wishes. */
export function retrying({ afterSeconds, hookKind }: Retry, waitingOn: readonly WaitingOn[]): Result {
  return {
    kind: 'retry',
    waitingOn,
    ...(afterSeconds === undefined ? {} : { resyncAfterSeconds: afterSeconds }),
    failedHook: hookKind,
  };
}

function stepsOf(changes: readonly Change[]): Step[] {
  if (changes.length === 0) return [];
  const waves = WAVES.map((name) => ({ name, changes: changes.filter(({ wave }) => wave === name) }));
  return [{ number: 1, waves: waves.filter((wave) => wave.changes.length > 0) }];
}

/** What is said first of an object stands: a rollout knows better than a child's health what it waits for. */
export function onceEach(waitingOn: readonly WaitingOn[]): WaitingOn[] {
  const first = new Map<string, WaitingOn>();
  for (const one of waitingOn) if (!first.has(refKey(one.ref))) first.set(refKey(one.ref), one);
  return [...first.values()];
}

/** Of the children that are left as they are: those that are not (yet) healthy. */
export function childrenWaitingOn(children: readonly KubeObject[]): WaitingOn[] {
  return children.flatMap((object) => {
    const health = healthOf(object);
    if (health.state === 'Current') return [];
    return [{ ref: refOf(object), reason: health.message === '' ? health.state : health.message }];
  });
}
