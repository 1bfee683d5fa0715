export {
  applyDynamic,
  LAST_APPLIED_ANNOTATION,
  lastAppliedOf,
  recordFor,
  withLastApplied,
  withLastRecord,
} from './dynamic-apply.ts';
export { applyJsonPatch, JsonPatchError } from './json-patch.ts';
export { claimedFields, type Match, type MatchQuestion, matchApplied } from './matcher/matcher.ts';
export { indexByKey, MERGE_KEYS, type MergeKeyValue, mergeKeyOf } from './merge-key.ts';
export { applyMergePatch, createMergePatch } from './merge-patch.ts';
export * from './ssa/index.ts';
export {
  applyStrategicPatch,
  goText,
  PatchType,
  StrategicPatchError,
} from './strategic/index.ts';
export { mergeThreeWay } from './three-way.ts';
