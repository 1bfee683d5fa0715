export { compareObjects, diffObjects } from './diff-objects.ts';
export { createRedactor, parseMask, type Redactor } from './redactor.ts';
