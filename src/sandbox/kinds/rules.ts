// What the server's strategy of a kind does, in one shape for all kinds. A kind without an entry has no rules of its own.

import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import type { Report } from './report.ts';

export interface KindRules {
  /** A create may set status. */
  readonly keepsStatus?: boolean;
  /** What admission and the strategy add to a new object. Throws StatusError where admission refuses it. */
  readonly create?: (core: Core, object: KubeObject) => KubeObject;
  /** The same for an update: status has been kept before, generation is counted after. */
  readonly update?: (core: Core, before: KubeObject, after: KubeObject) => KubeObject;
  /** What is wrong with an object, on create and, unless checkUpdate does it, on update. */
  readonly check?: (report: Report, object: KubeObject) => void;
  readonly checkUpdate?: (report: Report, before: KubeObject, after: KubeObject) => void;
  readonly checkStatus?: (report: Report, before: KubeObject, after: KubeObject) => void;
}
