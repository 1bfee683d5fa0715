import type { ResourceController } from '../model/definition.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Answers } from '../model/need.ts';
import type { ParentView } from '../model/view.ts';
import { compositePlanner } from './composite/plan-composite.ts';
import { decoratorPlanner } from './decorator/plan-decorator.ts';
import { mapPlanner } from './map/plan-map.ts';
import { planWith } from './parent/plan-with.ts';
import type { KindPlanner, Planning, PlanningOptions } from './parent/session.ts';

/** One parent of a controller of any kind: its plan, or what has to be known for one. */
export function planParent(
  controller: ResourceController,
  view: ParentView,
  answers: Answers,
  options: PlanningOptions,
): Planning {
  return planWith({ controller, view, answers, options }, () => plannerFor(controller, view));
}

function plannerFor({ definition }: ResourceController, view: ParentView): KindPlanner | Diagnostic {
  switch (definition.kind) {
    case 'CompositeController':
      return compositePlanner(definition, view.parent);
    case 'DecoratorController':
      return decoratorPlanner(definition);
    case 'MapController':
      return mapPlanner(definition, view);
  }
}
