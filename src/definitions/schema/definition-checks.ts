// The checks of the kinds of definitions, one function a kind. In a built program this file's place is taken by one with the
// same exports and the checks ready made (tools/compiled-checks.ts); run from the sources they are made when first asked for.

import { type Check, compileCheck } from './check.ts';
import { compositeSchema } from './composite-schema.ts';

let composite: Check | undefined;

export function compositeCheck(): Check {
  composite ??= compileCheck(compositeSchema).check;
  return composite;
}
