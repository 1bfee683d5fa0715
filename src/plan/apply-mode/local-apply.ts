// Server-side apply as it is done here (src/merge/ssa), and what it can't know.

import type { JsonObject } from '../../kit/json.ts';
import { type ApplyAnswer, applyPatch, mergeTyped, withManagedFields } from '../../merge/index.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf } from '../../model/resource.ts';
import { endpointOf } from './kind-type.ts';
import type { KnownKind } from './known-kinds.ts';

interface Applied {
  readonly desired: KubeObject;
  readonly force: boolean;
  readonly fieldManager: string;
}

export function applyLocally(
  live: KubeObject,
  { desired, force, fieldManager }: Applied,
  { type, kind }: KnownKind,
): ApplyAnswer {
  return applyPatch(
    { live, config: desired, manager: fieldManager, force, time: NOBODY_READS_IT },
    endpointOf(type, kind),
  );
}

const NOBODY_READS_IT = '1970-01-01T00:00:00Z';

/** Fields that were written in another version of the kind are named in its words, which are not known here. */
export function isSure({ metadata }: KubeObject, { type, isTold }: KnownKind): boolean {
  const version = apiVersionOf(type);
  return isTold && (metadata.managedFields ?? []).every(({ apiVersion }) => apiVersion === version);
}

interface BothSides {
  readonly observed: KubeObject;
  readonly desired: KubeObject;
  readonly known: KnownKind;
}

/** As good as can be told here, whoever owns what. */
export function mergedHere(local: ApplyAnswer, { observed, desired, known }: BothSides): KubeObject {
  if (local.kind === 'applied') return local.object as KubeObject;
  const merged = mergeTyped(withManagedFields(observed, undefined), desired as JsonObject, known.kind);
  return 'problems' in merged ? desired : ((merged.value ?? desired) as KubeObject);
}
