// What may not be shown is known from the plan itself: every Secret that it reads or writes.

import { createRedactor, mapDiagnosticText, type Redactor } from '../diff/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KubeObject } from '../model/object.ts';
import { type Change, changesOf, type Intent, type Plan } from '../model/plan.ts';

/** Masks the values of every Secret in the plan. Numbers values as they are shown: make a new one for each output. */
export function redactorOf(plan: Plan): Redactor {
  return createRedactor([...changesOf(plan).flatMap(objectsOf), ...(plan.secrets ?? [])]);
}

function objectsOf({ before, after, intent }: Change): KubeObject[] {
  return [before, after, intent && objectOf(intent)].filter((object) => object !== undefined);
}

function objectOf(intent: Intent): KubeObject | undefined {
  if (intent.kind === 'create') return intent.object;
  return intent.kind === 'merge' ? intent.desired : undefined;
}

export function maskDiagnostic(diagnostic: Diagnostic, redactor: Redactor): Diagnostic {
  return mapDiagnosticText(diagnostic, redactor.text);
}
