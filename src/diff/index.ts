export { mapDiagnosticText } from './diagnostic-text.ts';
export { compareObjects, diffObjects } from './diff-objects.ts';
export { RECORD_ANNOTATIONS } from './noise.ts';
export { createRedactor, parseMask, type Redactor } from './redactor.ts';
export { bytesOf, insideBase64, isSecret, SecretFinder } from './secret-forms.ts';
