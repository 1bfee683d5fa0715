import type { JsonObject } from '../kit/json.ts';
import type { Definition } from '../model/definition.ts';
import { BugError, type Diagnostic, hasErrors, type SourceRange } from '../model/diagnostic.ts';
import type { Ref } from '../model/ref.ts';
import { readApplyAnnotation } from './apply-annotation.ts';
import { normalizeComposite } from './normalize/composite.ts';
import { normalizeDecorator } from './normalize/decorator.ts';
import { normalizeMap } from './normalize/map.ts';
import type { NormalizeContext } from './normalize/shared.ts';
import { type ObjectPlace, type Problem, toDiagnostic } from './problem.ts';
import { checkRules } from './rules/check.ts';
import { definitionCheck } from './schema/definition-checks.ts';
import { DEFINITION_SCHEMAS, type DefinitionKind, isDefinitionKind } from './schema/definition-schema.ts';
import type { GivenDefinition } from './schema/given.ts';
import { API_VERSION } from './schema/shared-fields.ts';
import { createValidator, type Validator } from './schema/validate.ts';

export interface DefinitionContext {
  /** Absolute directory that relative paths of hooks start from. */
  readonly directory: string;
  /** Where the object stands, when it came from a file. */
  readonly source?: SourceRange;
  /** Gives problems their line and column, when it came from a file. */
  readonly place?: ObjectPlace;
  /** It was read from the cluster. */
  readonly fromCluster?: boolean;
}

export interface ReadDefinition {
  /** Absent when there are errors. */
  readonly definition?: Definition;
  readonly diagnostics: readonly Diagnostic[];
}

const NORMALIZE: Readonly<Record<string, (object: JsonObject, context: NormalizeContext) => Definition>> = {
  CompositeController: normalizeComposite,
  DecoratorController: normalizeDecorator,
  MapController: normalizeMap,
};

/**
 * A controller definition from a file or from a cluster, of a known kind → a definition with all defaults, or all that is
 * wrong with it.
 */
export function definitionFromObject(object: JsonObject, context: DefinitionContext): ReadDefinition {
  const kind = String(object['kind']);
  const normalize = NORMALIZE[kind];
  if (!normalize || !isDefinitionKind(kind)) throw new BugError(`${kind} is no kind of definition`);
  const annotated = readApplyAnnotation(object);
  const validated = validatorOf(kind)(annotated.object);
  const { sound } = validated;
  const problems = [...annotated.problems, ...validated.problems];
  const given = sound as unknown as GivenDefinition;
  const all = [...problems, ...checkRules(given).filter((problem) => !followsFrom(problem, problems))];
  const subject = subjectOf(kind, given);
  const diagnostics = all.map((problem) => toDiagnostic(problem, context.place, subject));
  if (hasErrors(diagnostics)) return { diagnostics };
  const normalized = normalize(annotated.object, context);
  return { definition: { ...normalized, object, ...(context.fromCluster ? { fromCluster: true } : {}) }, diagnostics };
}

/** Something is missing because it was spelled wrong or is of the wrong type: that was told already. */
function followsFrom({ code, path }: Problem, problems: readonly Problem[]): boolean {
  if (code !== 'missing-field') return false;
  return problems.some((told) => path.every((element, index) => told.path[index] === element));
}

function subjectOf(kind: DefinitionKind, { metadata }: GivenDefinition): Ref | undefined {
  if (!metadata?.name) return undefined;
  return { apiVersion: API_VERSION, kind, name: metadata.name };
}

// Each made at most once, and only in a program that reads definitions.
const validators = new Map<DefinitionKind, Validator>();
function validatorOf(kind: DefinitionKind): Validator {
  const made = validators.get(kind) ?? createValidator(DEFINITION_SCHEMAS[kind], definitionCheck(kind));
  validators.set(kind, made);
  return made;
}
