import type { Problem } from '../problem.ts';
import type { GivenDefinition } from '../schema/given.ts';
import * as applyRules from './apply-rules.ts';
import * as hookRules from './hook-rules.ts';
import * as metadataRules from './metadata-rules.ts';
import * as resourceRules from './resource-rules.ts';
import type { HookRule, Rule } from './rule.ts';
import * as securityRules from './security-rules.ts';
import * as selectorRules from './selector-rules.ts';
import * as strategyRules from './strategy-rules.ts';
import * as webhookRules from './webhook-rules.ts';

// Every export of a file of rules is a rule.
const RULES: readonly Rule[] = [
  metadataRules,
  resourceRules,
  selectorRules,
  strategyRules,
  applyRules,
  securityRules,
].flatMap((rules) => Object.values(rules));
const HOOK_RULES: readonly HookRule[] = [hookRules, webhookRules].flatMap((rules) => Object.values(rules));

/** What the schema can't say: every rule over the definition, every hook rule over each of its hooks. */
export function checkRules(given: GivenDefinition): Problem[] {
  const problems = RULES.flatMap((rule) => [...rule(given)]);
  for (const [name, hook] of Object.entries(given.spec?.hooks ?? {})) {
    if (!hook) continue;
    for (const rule of HOOK_RULES) problems.push(...rule(hook, ['spec', 'hooks', name]));
  }
  return problems;
}
