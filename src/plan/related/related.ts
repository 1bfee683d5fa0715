// Related objects for one variant of the parent: the customize hook is asked which, the driver reads them, and the groups
// that sync and finalize are shown are made of what it read.

import { digestOf } from '../../kit/hash.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { HookCall, RelatedGroup, RelatedNeed, RelatedRule } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { keyOf, refKey } from '../../model/ref.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import type { ChildGroup } from '../../model/view.ts';
import { customizeCall } from '../consult/payload.ts';
import type { Failure, Needed, Session } from '../parent/session.ts';
import { misfitOf } from './match.ts';
import { checkCustomizeAnswer, ruleProblem } from './rules.ts';

export interface Related {
  readonly kind: 'related';
  /** One for each kind that a rule names, objects or not. */
  readonly groups: readonly ChildGroup[];
  /** Warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

export function relatedTo(session: Session, parent: KubeObject): Needed | Failure | Related {
  const { definition, answers, options } = session;
  const hook = definition.hooks.customize;
  if (!hook) return { kind: 'related', groups: [], diagnostics: [] };
  const call = customizeCall({ definition, parent, hook, dryRun: options.foresee });
  const reply = answers.get(call.id);
  if (reply?.kind !== 'hook') return { kind: 'needs', needs: [call] };
  if (!reply.ok) {
    const retry = { afterSeconds: reply.retryAfterSeconds, hookKind: hook.kind };
    return { kind: 'failed', diagnostics: [reply.diagnostic], retry };
  }
  const { rules, diagnostics } = checkCustomizeAnswer(call, reply.body);
  if (!rules) return { kind: 'failed', diagnostics };
  const need = needOf(call, rules);
  const found = answers.get(need.id);
  if (found?.kind !== 'related') return { kind: 'needs', needs: [need] };
  if (!found.ok) return { kind: 'failed', diagnostics: [...diagnostics, ...found.diagnostics] };
  const fits = rules.flatMap((rule, index) => problemsOf(call, { rule, index, group: found.groups[index] }));
  const all = [...diagnostics, ...fits];
  return hasErrors(all)
    ? { kind: 'failed', diagnostics: all }
    : { kind: 'related', groups: merged(found.groups), diagnostics: all };
}

function needOf(call: HookCall, rules: readonly RelatedRule[]): RelatedNeed {
  const { controller, parent } = call;
  const digest = digestOf([controller, refKey(parent), rules as unknown as []]);
  return { kind: 'related', id: `related-${digest.slice(0, 16)}`, controller, parent, rules };
}

interface Answered {
  readonly rule: RelatedRule;
  readonly index: number;
  readonly group: RelatedGroup | undefined;
}

function problemsOf(call: HookCall, { rule, index, group }: Answered): Diagnostic[] {
  const path = `relatedResources[${index}]`;
  if (!group?.type) {
    const problem = `asks for ${rule.resource} of ${rule.apiVersion}, which the server does not serve`;
    const hint = group?.hint === undefined ? {} : { hint: group.hint };
    return [{ severity: 'error', code: 'unknown-resource', ...ruleProblem(call, path, problem), ...hint }];
  }
  const misfit = misfitOf(rule, group.type);
  if (!misfit) return [];
  const { severity, field, problem } = misfit;
  const code = severity === 'error' ? 'answer-invalid' : 'ineffective';
  const hint =
    'Leave it out. Under hook version v1 a parent in a namespace is shown no cluster-scoped objects: use v2.';
  return [{ severity, code, ...ruleProblem(call, `${path}.${field}`, problem), hint }];
}

/** Two rules of one kind make one group; what both select is in it once. */
function merged(groups: readonly RelatedGroup[]): ChildGroup[] {
  const byType = new Map<string, { readonly type: ResourceType; readonly objects: Map<string, KubeObject> }>();
  for (const { type, objects } of groups) {
    if (!type) continue;
    const key = `${type.kind} ${apiVersionOf(type)}`;
    const known = byType.get(key) ?? { type, objects: new Map<string, KubeObject>() };
    byType.set(key, known);
    for (const object of objects) known.objects.set(keyOf(object), object);
  }
  return [...byType.values()].map(({ type, objects }) => ({ type, objects: [...objects.values()] }));
}
