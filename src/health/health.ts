// The states and the generic rule. Order matters and is kstatus's: deletion, then generation, then Reconciling and
// Stalled, then what the kind itself says (kinds.ts), then Ready; an object that says nothing is Current.

import type { KubeObject } from '../model/object.ts';
import { conditionOf, explain, numberAt, textAt } from './fields.ts';
import { applyHints } from './hints.ts';
import { kindRule } from './kinds.ts';
import type { Health } from './state.ts';

export interface HealthOptions {
  /**
   * The annotation with hints for objects that don't tell enough by themselves ("has-ready-condition,conditions=A;B").
   * Absent: no annotation is looked at.
   */
  readonly hintAnnotation?: string;
}

/**
 * Is the object in the state that its spec asks for, and if not, what is missing. Undefined stands for an object that is
 * not there. `message` is one line for the person who waits.
 */
export function healthOf(object: KubeObject | undefined, options: HealthOptions = {}): Health {
  if (!object) return { state: 'NotFound', message: 'does not exist' };
  const hint = options.hintAnnotation === undefined ? undefined : object.metadata.annotations?.[options.hintAnnotation];
  if (hint === undefined) return judge(object);
  const hinted = applyHints(object, hint);
  return 'error' in hinted ? { state: 'Unknown', message: hinted.error } : judge(hinted.object, hinted.conditions);
}

function judge(object: KubeObject, requiredConditions: readonly string[] = []): Health {
  const early = terminating(object) ?? behind(object) ?? abnormal(object);
  if (early) return early;
  const rule = kindRule(object);
  const verdict = rule ? rule(object) : ready(object);
  return verdict.state === 'Current' ? (missingCondition(object, requiredConditions) ?? verdict) : verdict;
}

function terminating(object: KubeObject): Health | undefined {
  if (!object.metadata.deletionTimestamp) return undefined;
  const finalizers = object.metadata.finalizers ?? [];
  const message =
    finalizers.length > 0 ? `being deleted, waits for finalizers ${finalizers.join(', ')}` : 'being deleted';
  return { state: 'Terminating', message };
}

function behind(object: KubeObject): Health | undefined {
  const observed = numberAt(object, 'status', 'observedGeneration');
  const { generation } = object.metadata;
  if (observed === undefined || generation === undefined || observed === Number(generation)) return undefined;
  const message =
    observed < 0
      ? 'its controller has not reported status.observedGeneration yet'
      : `its controller has seen generation ${observed}, the object is at ${generation}`;
  return { state: 'InProgress', message };
}

function abnormal(object: KubeObject): Health | undefined {
  const reconciling = conditionOf(object, 'Reconciling');
  if (reconciling?.status === 'True') return { state: 'InProgress', message: explain(reconciling, 'Reconciling') };
  const stalled = conditionOf(object, 'Stalled');
  if (stalled?.status === 'True') return { state: 'Failed', message: explain(stalled, 'Stalled') };
  return undefined;
}

function ready(object: KubeObject): Health {
  const condition = conditionOf(object, 'Ready');
  if (!condition) return { state: 'Current', message: textAt(object, 'status', 'phase') || 'exists' };
  if (condition.status === 'True') return { state: 'Current', message: 'Ready' };
  return { state: 'InProgress', message: explain(condition, `condition Ready is ${condition.status || 'not set'}`) };
}

function missingCondition(object: KubeObject, types: readonly string[]): Health | undefined {
  for (const type of types) {
    const condition = conditionOf(object, type);
    if (condition?.status === 'True') continue;
    const fallback = condition ? `condition ${type} is ${condition.status}` : `condition ${type} is not there yet`;
    return { state: 'InProgress', message: explain(condition, fallback) };
  }
  return undefined;
}
