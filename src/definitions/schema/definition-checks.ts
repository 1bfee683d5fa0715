// The checks of the kinds of definitions. In a built program this file's place is taken by one with the same export and the
// checks ready made (tools/compiled-checks.ts); run from the sources they are made when first asked for.

import { type Check, type CompiledChecks, compileChecks } from './check.ts';
import { DEFINITION_SCHEMAS, type DefinitionKind } from './definition-schema.ts';

let compiled: CompiledChecks | undefined;

export function definitionCheck(kind: DefinitionKind): Check {
  compiled ??= compileChecks(DEFINITION_SCHEMAS);
  return compiled.checkOf(kind);
}
