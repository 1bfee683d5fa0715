export { applyStrategicPatch } from './apply-patch.ts';
export { createStrategicPatch, createThreeWayStrategicPatch } from './create-patch.ts';
export { goText, StrategicPatchError } from './errors.ts';
export { PatchType } from './patch-type.ts';
