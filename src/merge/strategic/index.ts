export { applyStrategicPatch } from './apply-patch.ts';

export { goText, StrategicPatchError } from './errors.ts';
export { PatchType } from './patch-type.ts';
