// plan and apply as a test calls them: the machine's clock and files, yes to every question, a minute until "not settled".

import {
  type AppEnvironment,
  type ApplyOptions,
  type ApplyOutcome,
  createNodeFiles,
  type PlanOptions,
  type PlanOutcome,
  runApply,
  runPlan,
  systemClock,
} from '../app/index.ts';

export const testEnvironment: AppEnvironment = {
  variables: process.env,
  clock: systemClock,
  files: createNodeFiles({ stdin: process.stdin, workingDirectory: process.cwd() }),
  signal: new AbortController().signal,
};

export interface UseCases {
  plan(more?: Partial<PlanOptions>): Promise<PlanOutcome>;
  apply(more?: Partial<ApplyOptions>, environment?: Partial<AppEnvironment>): Promise<ApplyOutcome>;
}

/** For one cluster and one project; `more` overrides what is usual. */
export function useCases(given: Pick<PlanOptions, 'cluster' | 'paths'> & Partial<PlanOptions>): UseCases {
  // These tests run in the CI of a fork's pull request too, where local hooks are refused.
  const base = { concurrency: 8, allowLocalHooks: true, ...given };
  const usual: ApplyOptions = { ...base, confirm: async () => 'yes', timeoutMs: 60_000, wait: true };
  return {
    plan: (more = {}) => runPlan({ ...base, ...more }, testEnvironment),
    apply: (more = {}, environment = {}) => {
      const options: ApplyOptions = { ...usual, ...more };
      return runApply(options, { ...testEnvironment, ...environment });
    },
  };
}
