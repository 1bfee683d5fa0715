// Which objects are a parent's inputs: those that its spec.selector matches, in its namespace, but none that it owns. A
// controller may so make config maps out of config maps without feeding on what it has made.

import { isJsonObject } from '../../kit/json.ts';
import type { LabelSelector } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { controllerOf, type KubeObject, sortedByPlace } from '../../model/object.ts';
import { formatRef, refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import { matchesSelector, parseSelector } from '../selectors.ts';

const EVERYTHING: LabelSelector = { matchLabels: {}, matchExpressions: [] };

/** Absent or empty: everything. */
export function inputSelectorOf(controller: string, parent: KubeObject): LabelSelector | Diagnostic {
  const selector = selectorIn(parent);
  if (typeof selector !== 'string') return selector;
  const subject = refOf(parent);
  return {
    severity: 'error',
    code: 'parent-selector-invalid',
    summary: `${controller}: ${formatRef(subject)}: spec.selector ${selector}`,
    detail: 'The selector says which objects are the inputs of this parent.',
    hint: 'Write a label selector: matchLabels, matchExpressions. Without one, all objects of the input resources are inputs.',
    subject,
    path: 'spec.selector',
  };
}

function selectorIn(parent: KubeObject): LabelSelector | string {
  const spec = parent['spec'];
  const given = isJsonObject(spec) ? spec['selector'] : undefined;
  return given === undefined || given === null ? EVERYTHING : parseSelector(given);
}

/** Is the object an input of the parent, now? A parent whose selector is wrong has none. */
export function selectsAsInput(parent: KubeObject, object: KubeObject): boolean {
  const selector = selectorIn(parent);
  return typeof selector !== 'string' && isMatching(parent, selector, object);
}

function isMatching(parent: KubeObject, selector: LabelSelector, object: KubeObject): boolean {
  const { namespace, labels } = object.metadata;
  const home = parent.metadata.namespace;
  const near = home === undefined || namespace === undefined || namespace === home;
  return near && controllerOf(object)?.uid !== parent.metadata.uid && matchesSelector(selector, labels);
}

/** Sorted by namespace and name, kind by kind. */
export function inputsOf(groups: readonly ChildGroup[], parent: KubeObject, selector: LabelSelector): ChildGroup[] {
  return groups.map(({ type, objects }) => {
    const matching = objects.filter((object) => isMatching(parent, selector, object));
    return { type, objects: sortedByPlace(matching, (object) => object) };
  });
}
