import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { conditionOf, explain, numberAt, objectsAt, textAt } from './fields.ts';
import { current, failed, type Health, inProgress } from './state.ts';

/**
 * A pod that has run to its end is Current, also one that failed (kstatus: there is nothing more to wait for; whether
 * that is good is for its owner to say). A crash loop is Failed.
 */
export function podHealth(object: KubeObject): Health {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Succeeded') return current('Succeeded');
  if (phase === 'Failed') return current(`ended without success${suffix(endMessage(object))}`);
  const ready = conditionOf(object, 'Ready');
  if (phase === 'Running' && ready?.status === 'True') return current('Ready');
  const message = waitingMessage(object, phase);
  return phase === 'Running' && isCrashLooping(object) ? failed(message) : inProgress(message);
}

const suffix = (text: string): string => (text === '' ? '' : `: ${text}`);

function endMessage(object: KubeObject): string {
  const reason = [textAt(object, 'status', 'reason'), textAt(object, 'status', 'message')].filter(Boolean).join(': ');
  return reason || containerProblems(object).join('; ');
}

function waitingMessage(object: KubeObject, phase: string): string {
  const scheduled = conditionOf(object, 'PodScheduled');
  if (scheduled?.status === 'False') return explain(scheduled, 'not scheduled to a node yet');
  const problems = containerProblems(object).join('; ');
  const ready = conditionOf(object, 'Ready');
  if (ready?.status === 'False' && problems !== '') return `${ready.reason || 'NotReady'}: ${problems}`;
  if (ready) return explain(ready, problems || `condition Ready is ${ready.status}`);
  return (
    problems || (phase === '' || phase === 'Pending' ? 'Pending: no node has taken it yet' : `${phase}, not Ready yet`)
  );
}

function statuses(object: KubeObject): readonly JsonObject[] {
  return [...objectsAt(object, 'status', 'initContainerStatuses'), ...objectsAt(object, 'status', 'containerStatuses')];
}

/** "web: ImagePullBackOff Back-off pulling image …" for each container that says why it does not run. */
function containerProblems(object: KubeObject): readonly string[] {
  return statuses(object).flatMap((status) => {
    const exitCode = numberAt(status, 'state', 'terminated', 'exitCode') ?? 0;
    const state = textAt(status, 'state', 'waiting', 'reason') === '' ? 'terminated' : 'waiting';
    const reason = textAt(status, 'state', state, 'reason');
    if (state === 'terminated' && exitCode === 0) return [];
    const message = textAt(status, 'state', state, 'message') || (exitCode === 0 ? '' : `exit code ${exitCode}`);
    return [`${textAt(status, 'name')}: ${[reason, message].filter(Boolean).join(' ').replace(/\s+/g, ' ')}`];
  });
}

function isCrashLooping(object: KubeObject): boolean {
  return statuses(object).some((status) => textAt(status, 'state', 'waiting', 'reason') === 'CrashLoopBackOff');
}
