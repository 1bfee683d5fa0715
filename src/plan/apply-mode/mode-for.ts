// Which apply mode a planning has.

import type { Definition } from '../../model/definition.ts';
import type { ParentView } from '../../model/view.ts';
import { ownerReferenceTo } from '../claim/claim.ts';
import type { ApplyMode } from './apply-mode.ts';
import { DynamicMode } from './dynamic.ts';
import { legacyOfChildren } from './legacy.ts';
import { ourManagers } from './managers.ts';
import { ServerSideMode, type ServerSideOptions } from './server-side.ts';

export function modeFor(
  { apply }: Pick<Definition, 'apply'>,
  { parent, children }: Pick<ParentView, 'parent' | 'children'>,
  asked: Pick<ServerSideOptions, 'answers' | 'tryAll' | 'methodOf'>,
): ApplyMode {
  const types = children.map(({ type }) => type);
  if (apply.mode === 'dynamic') return new DynamicMode({ ...asked, managers: ourManagers(apply.fieldManager), types });
  return new ServerSideMode({
    ...asked,
    settings: apply,
    types,
    owner: ownerReferenceTo(parent),
    legacy: legacyOfChildren(apply.fieldManager),
  });
}
