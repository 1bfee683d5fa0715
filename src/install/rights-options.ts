import type { GroupResource } from '../model/right.ts';

export type Purpose = 'plan' | 'apply' | 'daemon' | 'shadow';

export interface RightsOptions {
  /**
   * daemon and apply run controllers. A daemon follows definitions, elects and writes Events besides. A plan and a shadow
   * only read, a shadow as a daemon does, and with dry runs.
   */
  readonly purpose: Purpose;
  /** Only parents in this namespace are looked at (-n). */
  readonly namespace?: string;
  /** What customize hooks ask for. */
  readonly related: readonly GroupResource[];
  /** Of a daemon: its Leases, and where they are. None: it runs alone. */
  readonly leases: {
    readonly namespace: string;
    readonly names: readonly string[];
    /** --shards: there are more of them, whose names are not known, and replicas look who else is there. */
    readonly shared?: boolean;
  };
}
