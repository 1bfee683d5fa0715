import type { JsonObject } from '../../kit/json.ts';
import type { DecoratorDefinition, Hook, LabelSelector, ParentRule } from '../../model/definition.ts';
import { indexed } from '../rules/rule.ts';
import type { GivenAnnotationSelector, GivenDecorated, GivenDefinition } from '../schema/given.ts';
import { normalizeChild } from './child.ts';
import { type NormalizeContext, normalizeBase, normalizeHooks, normalizeParent, normalizeSelector } from './shared.ts';

/** Fills in every default. The definition has passed the schema and the rules. */
export function normalizeDecorator(object: JsonObject, context: NormalizeContext): DecoratorDefinition {
  const { spec } = object as unknown as GivenDefinition;
  const hooks = normalizeHooks(['sync', 'finalize', 'customize'], spec, context);
  return {
    kind: 'DecoratorController',
    ...normalizeBase(object, context),
    parents: indexed(spec?.resources).map(([, rule]) => normalizeDecorated(rule)),
    children: indexed(spec?.attachments).map(([, attachment]) => normalizeChild(attachment)),
    omittedMetadata: spec?.apply?.omittedMetadata ?? 'keep',
    // The schema requires it.
    hooks: hooks as typeof hooks & { readonly sync: Hook },
  };
}

function normalizeDecorated(rule: GivenDecorated): ParentRule {
  const { annotationSelector } = rule;
  return {
    ...normalizeParent(rule),
    ...(annotationSelector ? { annotationSelector: asLabels(annotationSelector) } : {}),
  };
}

const asLabels = ({ matchAnnotations, matchExpressions }: GivenAnnotationSelector): LabelSelector =>
  normalizeSelector({
    ...(matchAnnotations ? { matchLabels: matchAnnotations } : {}),
    ...(matchExpressions ? { matchExpressions } : {}),
  });
