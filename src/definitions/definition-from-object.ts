import type { JsonObject } from '../kit/json.ts';
import type { Definition } from '../model/definition.ts';
import { type Diagnostic, hasErrors, type SourceRange } from '../model/diagnostic.ts';
import type { Ref } from '../model/ref.ts';
import { readApplyAnnotation } from './apply-annotation.ts';
import { normalizeComposite } from './normalize/composite.ts';
import { type ObjectPlace, type Problem, toDiagnostic } from './problem.ts';
import { checkRules } from './rules/check.ts';
import { compositeSchema } from './schema/composite-schema.ts';
import { compositeCheck } from './schema/definition-checks.ts';
import type { GivenComposite } from './schema/given.ts';
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

/** A CompositeController from a file or from a cluster → a definition with all defaults, or all that is wrong with it. */
export function definitionFromObject(object: JsonObject, context: DefinitionContext): ReadDefinition {
  const annotated = readApplyAnnotation(object);
  const validated = validator()(annotated.object);
  const { sound } = validated;
  const problems = [...annotated.problems, ...validated.problems];
  const given = sound as unknown as GivenComposite;
  const all = [...problems, ...checkRules(given).filter((problem) => !followsFrom(problem, problems))];
  const subject = subjectOf(given);
  const diagnostics = all.map((problem) => toDiagnostic(problem, context.place, subject));
  if (hasErrors(diagnostics)) return { diagnostics };
  const normalized = normalizeComposite(annotated.object, context);
  return { definition: { ...normalized, object, ...(context.fromCluster ? { fromCluster: true } : {}) }, diagnostics };
}

/** Something is missing because it was spelled wrong or is of the wrong type: that was told already. */
function followsFrom({ code, path }: Problem, problems: readonly Problem[]): boolean {
  if (code !== 'missing-field') return false;
  return problems.some((told) => path.every((element, index) => told.path[index] === element));
}

function subjectOf({ metadata }: GivenComposite): Ref | undefined {
  if (!metadata?.name) return undefined;
  return { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController', name: metadata.name };
}

// Made at most once, and only in a program that reads definitions.
let made: Validator | undefined;
function validator(): Validator {
  made ??= createValidator(compositeSchema, compositeCheck());
  return made;
}
