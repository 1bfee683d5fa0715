// x-kubernetes-validations of a schema, evaluated on an object.

import type { JsonObject } from '../../kit/json.ts';
import type { CompileRules, FieldProblem } from '../../schema/index.ts';

export function ruleProblems(
  _schema: JsonObject,
  _states: { readonly before?: JsonObject; readonly after: JsonObject },
  _warnings: string[],
): FieldProblem[] {
  return [];
}

export const compileRules: CompileRules | undefined = undefined;
