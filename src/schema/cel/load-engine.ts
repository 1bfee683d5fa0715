import type { RuleEngine } from './engine.ts';

/** The evaluator of x-kubernetes-validations: 30 ms the first time. */
export async function loadRuleEngine(): Promise<RuleEngine> {
  return (await import('./engine.ts')).RULE_ENGINE;
}
