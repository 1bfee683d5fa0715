// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.
// not-a name of it's.example.com: v1

import type { Metadata } from 'metactl';

export interface NotAName {
  apiVersion: 'it\'s.example.com/v1';
  kind: 'not-a name';
  metadata: Metadata;
  /**
   * ends *\/ here
   *  * /** and
   *  there
   */
  class?: string;
  '1st'?: NotAName_1st;
  ''?: NotAName_;
  'ünïcode'?: NotANameNCode;
  __proto__x?: string;
  constructor?: string;
}

export interface NotAName_1st {
  'it\'s'?: string;
  /** @default "*\/" */
  'a\nb'?: string;
}

export interface NotAName_ {
  x?: string;
}

export interface NotANameNCode {
  y?: '\'' | '"' | '\\' | '\n' | '*/' | '\u2029' | '`${1}`' | '\ud800';
}
