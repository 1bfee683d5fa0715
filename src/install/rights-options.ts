import type { GroupResource } from '../model/right.ts';

export interface RightsOptions {
  /** daemon and apply run controllers; a plan only reads. A daemon follows definitions, elects and writes Events besides. */
  readonly purpose: 'plan' | 'apply' | 'daemon';
  /** Only parents in this namespace are looked at (-n). */
  readonly namespace?: string;
  /** What customize hooks ask for. */
  readonly related: readonly GroupResource[];
  /** Of a daemon: its Leases, and where they are. None: it runs alone. */
  readonly leases: { readonly namespace: string; readonly names: readonly string[] };
}
