// Which apply mode a planning has.

import { LAST_APPLIED_ANNOTATION } from '../../merge/index.ts';
import type { Definition } from '../../model/definition.ts';
import type { ParentView } from '../../model/view.ts';
import { ownerReferenceTo } from '../claim/claim.ts';
import type { ApplyMode } from './apply-mode.ts';
import { DynamicMode } from './dynamic.ts';
import { ourManagers } from './managers.ts';
import { ServerSideMode, type ServerSideOptions } from './server-side.ts';

export function modeFor(
  { apply }: Pick<Definition, 'apply'>,
  { parent, children }: Pick<ParentView, 'parent' | 'children'>,
  asked: Pick<ServerSideOptions, 'answers' | 'tryAll'>,
): ApplyMode {
  const from = ourManagers(apply.fieldManager);
  const types = children.map(({ type }) => type);
  if (apply.mode === 'dynamic') return new DynamicMode({ managers: from, types, answers: asked.answers });
  return new ServerSideMode({
    ...asked,
    settings: apply,
    types,
    owner: ownerReferenceTo(parent),
    legacy: { annotation: LAST_APPLIED_ANNOTATION, from },
  });
}
