import type { ResourceType } from '../model/resource.ts';

/** What the server serves. Answers are kept until refresh(); a new CRD needs one. */
export interface Discovery {
  /** By plural, as definitions name it. undefined: not served. */
  byResource(apiVersion: string, resource: string): Promise<ResourceType | undefined>;
  /** By kind, as objects name it. */
  byKind(apiVersion: string, kind: string): Promise<ResourceType | undefined>;
  /** Every served resource (preferred and other versions), for did-you-mean. */
  all(): Promise<readonly ResourceType[]>;
  refresh(): void;
}
