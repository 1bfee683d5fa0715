export { mapDiagnosticText } from './diagnostic-text.ts';
export { compareObjects, diffObjects } from './diff-objects.ts';
export { createRedactor, parseMask, type Redactor } from './redactor.ts';
export { isSecret, SecretFinder } from './secret-forms.ts';
