// Everything that needs the evaluator; loaded when the first rule is met.

import { checkRules } from './check-rules.ts';
import { evaluateRules } from './evaluate-rules.ts';

export type RuleEngine = typeof RULE_ENGINE;

export const RULE_ENGINE = { checkRules, evaluateRules } as const;
