// The driver of inputs, as reconcile.ts is that of parents: asks the planner, fetches what it needs, asks again.

import { BugError } from '../model/diagnostic.ts';
import type { Answer, Need } from '../model/need.ts';
import { type Input, type InputOptions, type InputPlanning, planInputs } from '../plan/index.ts';
import type { SchemaReader } from '../ports/schemas.ts';
import type { DryRunner } from './dry-runs.ts';

export interface InputPorts {
  readonly schemas: SchemaReader;
  readonly dryRuns: DryRunner;
}

export type InputPlan = Extract<InputPlanning, { kind: 'plan' }>;

// Schemas first, then dry runs of what differs.
const MAX_ROUNDS = 4;

export async function reconcileInputs(
  inputs: readonly Input[],
  ports: InputPorts,
  options: Omit<InputOptions, 'answers'>,
): Promise<InputPlan> {
  const answers = new Map<string, Answer>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const planning = planInputs(inputs, { ...options, answers });
    if (planning.kind === 'plan') return planning;
    const fetched = await Promise.all(planning.needs.map((need) => fetchNeed(need, ports)));
    for (const answer of fetched) answers.set(answer.id, answer);
  }
  throw new BugError(`planning the inputs did not come to an end after ${MAX_ROUNDS} rounds`);
}

async function fetchNeed(need: Need, { schemas, dryRuns }: InputPorts): Promise<Answer> {
  switch (need.kind) {
    case 'schema':
      return { kind: 'schema', id: need.id, schema: await schemas.schemaOf(need.type) };
    case 'dry-run':
      return dryRuns.ask(need);
    default:
      throw new BugError(`inputs do not need a ${need.kind}`);
  }
}
