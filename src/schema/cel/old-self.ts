// oldSelf of rules with optionalOldSelf.

import { Optional } from '@marcbachmann/cel-js';

export const absentOld = (): unknown => Optional.none();
export const presentOld = (value: unknown): unknown => Optional.of(value);
