// The functions that Kubernetes adds to CEL, as far as they are here. A rule that calls another one is not evaluated.

import type { Environment } from '@marcbachmann/cel-js';
import { registerFormats } from './formats.ts';
import { registerLists } from './lists.ts';
import { registerNetwork } from './network.ts';
import { registerQuantity } from './quantity.ts';
import { registerSemver } from './semver.ts';
import { registerStrings } from './strings.ts';

export function registerKubernetes(environment: Environment): void {
  for (const register of [
    registerStrings,
    registerLists,
    registerQuantity,
    registerNetwork,
    registerFormats,
    registerSemver,
  ]) {
    register(environment);
  }
}
