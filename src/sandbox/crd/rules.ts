// x-kubernetes-validations: checked when a CRD is written, evaluated when a custom resource is. The evaluator is loaded before
// the first request that has to do with rules; after that everything is synchronous.

import { isJsonArray, type JsonObject } from '../../kit/json.ts';
import {
  type CompileRules,
  type FieldProblem,
  loadRuleEngine,
  type RuleEngine,
  structuralOf,
} from '../../schema/index.ts';
import type { Registry } from '../registry/registry.ts';

const RULES = 'x-kubernetes-validations';
let engine: RuleEngine | undefined;

/**
 * To be awaited before a request is handled; undefined: nothing to wait for. `text`: its body; `registry`: on the first
 * request, for what a journal brought back.
 */
export function rulesToLoad(text: string | undefined, registry?: Registry): Promise<void> | undefined {
  if (engine || !(text?.includes(RULES) || (registry && hasRules(registry)))) return undefined;
  return loadRuleEngine().then((loaded) => {
    engine = loaded;
  });
}

function hasRules(registry: Registry): boolean {
  for (const kind of registry.all()) {
    if (kind.versions.some(({ schema }) => schema !== undefined && structuralOf(schema).has.rules)) return true;
  }
  return false;
}

export function ruleProblems(
  schema: JsonObject,
  states: { readonly before?: JsonObject; readonly after: JsonObject },
  warnings: string[],
): FieldProblem[] {
  // Without the evaluator there has been no request: a controller finishes what was not finished when the journal ended.
  if (!engine) return [];
  const result = engine.evaluateRules(schema, states);
  warnings.push(...result.warnings);
  return [...result.problems];
}

export const compileRules: CompileRules = (schema, path, uncorrelated) => {
  const rules = schema[RULES];
  if (!engine || !isJsonArray(rules) || rules.length === 0) return [];
  const isResource = path.endsWith('.openAPIV3Schema') || schema['x-kubernetes-embedded-resource'] === true;
  return engine.checkRules(schema, path, { isResource, uncorrelated });
};
