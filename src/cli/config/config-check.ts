// In a built program this file's place is taken by one with the same export and the check ready made
// (tools/compiled-checks.ts); run from the sources it is made when first asked for.

import type { DocumentShape } from '../../app/index.ts';
import { compileConfigCheck } from './compile-check.ts';

let check: DocumentShape['check'] | undefined;

export function configCheck(): DocumentShape['check'] {
  check ??= compileConfigCheck().check;
  return check;
}
