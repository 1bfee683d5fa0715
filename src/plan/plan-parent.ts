import type { ResourceController } from '../model/definition.ts';
import type { Answers } from '../model/need.ts';
import type { ParentView } from '../model/view.ts';
import { compositePlanner } from './composite/plan-composite.ts';
import { planWith } from './parent/plan-with.ts';
import type { Planning, PlanningOptions } from './parent/session.ts';

/** One parent of a controller of any kind: its plan, or what has to be known for one. */
export function planParent(
  controller: ResourceController,
  view: ParentView,
  answers: Answers,
  options: PlanningOptions,
): Planning {
  const { definition } = controller;
  return planWith({ controller, view, answers, options }, () => compositePlanner(definition, view.parent));
}
