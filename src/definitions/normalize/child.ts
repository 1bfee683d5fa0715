import type { ChildRule, StatusConditionCheck } from '../../model/definition.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenChild, GivenCondition } from '../schema/given.ts';

export function normalizeChild({ apiVersion, resource, updateStrategy }: GivenChild): ChildRule {
  return {
    apiVersion: apiVersion ?? '',
    resource: resource ?? '',
    updateMethod: updateStrategy?.method ?? 'OnDelete',
    statusChecks: indexed(updateStrategy?.statusChecks?.conditions).map(([, condition]) => normalizeCheck(condition)),
  };
}

function normalizeCheck({ type, status, reason }: GivenCondition): StatusConditionCheck {
  return {
    type: type ?? '',
    ...(status !== undefined ? { status } : {}),
    ...(reason !== undefined ? { reason } : {}),
  };
}
