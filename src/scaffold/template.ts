import type { Language, Names } from './names.ts';

/** What one kind of controller has in the place of another's. */
export interface Template {
  /** What it does, one sentence; stands first in the README and in the definition. */
  readonly purpose: string;
  /** `crd.yaml`; absent where the kind is there already. */
  readonly crd?: string;
  /** The definition from `spec` on, without `hooks`. */
  readonly spec: string;
  /** The hook that is asked. */
  readonly hook: 'sync' | 'map';
  /** `parent.yaml`, and what that is. */
  readonly parent: string;
  readonly parentIs: string;
  /** The hook and its test, by file name. */
  readonly code: Readonly<Record<Language, Readonly<Record<string, string>>>>;
  /** Something to try after the first apply. */
  readonly next: string;
}

export type MakeTemplate = (names: Names, typeName: string) => Template;
