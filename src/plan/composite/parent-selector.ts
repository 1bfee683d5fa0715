import { isJsonObject } from '../../kit/json.ts';
import { type CompositeDefinition, definitionId, type LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import { isEmptySelector, parseSelector } from '../selectors.ts';
import { CONTROLLER_UID_LABEL } from './desired.ts';

/** Which objects are the parent's children: its spec.selector, or the label that generateSelector gives them. */
export function childSelectorOf(definition: CompositeDefinition, parent: KubeObject): LabelSelector | Diagnostic {
  if (definition.generateSelector)
    return { matchLabels: { [CONTROLLER_UID_LABEL]: parent.metadata.uid ?? '' }, matchExpressions: [] };
  const spec = parent['spec'];
  const selector = parseSelector(isJsonObject(spec) ? spec['selector'] : undefined);
  if (typeof selector !== 'string' && !isEmptySelector(selector)) return selector;
  const subject = refOf(parent);
  return {
    severity: 'error',
    code: 'parent-selector-invalid',
    summary: `${definitionId(definition)}: ${formatRef(subject)}: spec.selector ${typeof selector === 'string' ? selector : 'is empty'}`,
    detail: 'The selector says which objects are the children of this parent; without one nothing can be claimed.',
    hint: 'Set spec.selector.matchLabels in the parent, or spec.generateSelector: true in the definition.',
    subject,
    path: 'spec.selector',
  };
}
