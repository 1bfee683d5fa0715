// Which objects a decorator has attached to one object: those that it owns and that carry the decorator's annotation.
// Labels mean nothing here: nothing is adopted, and nothing released.

import type { DecoratorDefinition } from '../../model/definition.ts';
import { controllerOf, type KubeObject, sortedByPlace } from '../../model/object.ts';
import type { ParentView } from '../../model/view.ts';
import type { DesiredChild } from '../answer/answer-child.ts';
import { ownPart } from '../children/own-part.ts';
import type { Claims } from '../claim/claim.ts';

/** On every attachment, the controller's name: an object may have several decorators. Metacontroller's word. */
export const DECORATOR_ANNOTATION = 'metacontroller.k8s.io/decorator-controller';

type Named = Pick<DecoratorDefinition, 'name'>;

export function attachmentsOf({ name }: Named, { parent, children }: ParentView): Claims {
  const isAttached = (object: KubeObject): boolean =>
    controllerOf(object)?.uid === parent.metadata.uid && object.metadata.annotations?.[DECORATOR_ANNOTATION] === name;
  const groups = children.map(({ type, objects }) => ({
    type,
    objects: sortedByPlace(objects.filter(isAttached), (object) => object),
  }));
  return { groups, changes: [] };
}

/** With the annotation by which they are known again. */
export function desiredAttachments(
  { name }: Named,
  answered: readonly DesiredChild[],
  parent: KubeObject,
): readonly DesiredChild[] {
  return answered.map(({ type, object }) => {
    const own = ownPart(object, parent.metadata.uid ?? '');
    const annotations = { ...own.metadata.annotations, [DECORATOR_ANNOTATION]: name };
    return { type, object: { ...own, metadata: { ...own.metadata, annotations } } };
  });
}
