import { LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { withoutSystemFields } from '../answer/answer-child.ts';
import { storedForm } from '../stored-form.ts';

/** What of an answered child is its hook's to say, in the form in which it will be stored. */
export function ownPart(object: KubeObject, parentUid: string): KubeObject {
  return storedForm(withoutSystemFields(object, parentUid, LAST_APPLIED_ANNOTATION));
}
