// May the rollout go on past a child that is at the latest revision already? Not before the child is there, has nothing
// left to change, was seen by its controller, and passes the definition's status checks.

import { conditionOf, numberAt } from '../../health/index.ts';
import type { ChildRule, StatusConditionCheck } from '../../model/definition.ts';
import { isDeleting, type KubeObject } from '../../model/object.ts';
import type { ApplyMode } from '../apply-mode/apply-mode.ts';

/** Why the rollout waits, as the parent's condition says it and as the plan says it beside the child's name. */
export interface Obstacle {
  readonly message: string;
  readonly reason: string;
}

interface Judged extends Pick<ChildRule, 'updateMethod' | 'statusChecks'> {
  readonly mode: ApplyMode;
}

/** undefined: the child holds nothing up. */
export function obstacleIn(wanted: KubeObject, observed: KubeObject | undefined, rule: Judged): Obstacle | undefined {
  const what = `${wanted.kind} ${wanted.metadata.name}`;
  if (!observed) return { message: `missing child ${what}`, reason: 'the rollout goes on when it is there' };
  const problem = problemOf(wanted, observed, rule);
  return problem === undefined
    ? undefined
    : { message: `child ${what} ${problem}`, reason: `it holds up the rollout: it ${problem}` };
}

function problemOf(
  wanted: KubeObject,
  observed: KubeObject,
  { updateMethod, statusChecks, mode }: Judged,
): string | undefined {
  if (isDeleting(observed)) return 'is being deleted';
  if (!mode.isAsWanted(observed, wanted)) return 'is not updated yet';
  const unseen = updateMethod === 'RollingInPlace' ? unseenGeneration(observed) : undefined;
  if (unseen !== undefined) return unseen;
  const failed = statusChecks.map((check) => failedCheck(observed, check)).find((why) => why !== undefined);
  return failed === undefined ? undefined : `fails a status check: ${failed}`;
}

/** Not every controller reports what it has seen: 0 or none asks for nothing. */
function unseenGeneration({ metadata, ...rest }: KubeObject): string | undefined {
  const seen = numberAt(rest, 'status', 'observedGeneration') ?? 0;
  const { generation = 0 } = metadata;
  if (seen <= 0 || seen >= generation) return undefined;
  return `was seen by its controller at generation ${seen} only, and is at ${generation}`;
}

function failedCheck(observed: KubeObject, { type, status, reason }: StatusConditionCheck): string | undefined {
  const condition = conditionOf(observed, type);
  if (!condition) return `it has no condition ${type}`;
  if (status !== undefined && condition.status !== status)
    return `condition ${type} has status "${condition.status}", not "${status}"`;
  if (reason !== undefined && condition.reason !== reason)
    return `condition ${type} has reason "${condition.reason}", not "${reason}"`;
  return undefined;
}
