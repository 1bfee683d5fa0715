import type { Problem } from '../problem.ts';
import { CHILDREN_PATH, indexed, PARENT_PATH, type Rule } from './rule.ts';

const isRolling = (method: string | undefined): boolean => method?.startsWith('Rolling') ?? false;

export const statusChecksNeedRolling: Rule = function* ({ spec }): Generator<Problem> {
  for (const [index, child] of indexed(spec?.childResources)) {
    const strategy = child.updateStrategy;
    if (!strategy?.statusChecks || isRolling(strategy.method)) continue;
    yield {
      severity: 'warning',
      code: 'ineffective',
      path: [...CHILDREN_PATH, index, 'updateStrategy', 'statusChecks'],
      part: 'key',
      summary: `statusChecks have no effect with the method ${strategy.method ?? 'OnDelete'}`,
      detail: 'They hold back rolling updates only.',
      hint: 'Remove statusChecks, or use RollingRecreate or RollingInPlace.',
    };
  }
};

export const revisionHistoryNeedsRolling: Rule = function* ({ spec }): Generator<Problem> {
  if (!spec?.parentResource?.revisionHistory) return;
  if (indexed(spec.childResources).some(([, child]) => isRolling(child.updateStrategy?.method))) return;
  yield {
    severity: 'warning',
    code: 'ineffective',
    path: [...PARENT_PATH, 'revisionHistory'],
    part: 'key',
    summary: 'revisionHistory has no effect: no child resource has a rolling update strategy',
    hint: 'Remove it, or set updateStrategy.method of a child resource to RollingRecreate or RollingInPlace.',
  };
};

export const fieldPathsAreDotted: Rule = function* ({ spec }): Generator<Problem> {
  for (const [index, path] of indexed(spec?.parentResource?.revisionHistory?.fieldPaths)) {
    if (path.split('.').every((part) => /^[^\s[\]/"']+$/.test(part))) continue;
    yield {
      code: 'invalid-value',
      path: [...PARENT_PATH, 'revisionHistory', 'fieldPaths', index],
      summary: `"${path}" is not a dotted path`,
      hint: 'Write field names with dots between them, such as "spec.template"; list items can not be named.',
    };
  }
};
