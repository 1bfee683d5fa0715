export { type Comparison, compareObjects, diffObjects, type SameField } from './diff-objects.ts';
export { createRedactor, type Mask, parseMask, type Redactor } from './redactor.ts';
