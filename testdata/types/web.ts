// Made by `metactl types`. Do not edit: make it again when the CustomResourceDefinition changes.
// Web of example.com: v1

import type { KubeObject, Metadata } from 'metactl';

export interface Web {
  apiVersion: 'example.com/v1';
  kind: 'Web';
  metadata: Metadata;
  /** What is wanted. */
  spec?: WebSpec;
  status?: WebStatus;
}

/** What is wanted. */
export interface WebSpec {
  /**
   * What runs.
   *
   * With its tag.
   */
  image: string;
  /** @default 1 */
  replicas?: number;
  /** @default "Recreate" */
  strategy?: 'Recreate' | 'RollingUpdate';
  /** Number or name. */
  port?: number | string;
  args?: string[];
  levels?: (1 | 2 | 3)[];
  ports: WebSpecPortsItem[];
  labels?: { [key: string]: string };
  byHost?: { [key: string]: WebSpecByHostValue };
  ratio?: number | null;
  mode?: 'a' | null;
  anything?: unknown;
  free?: { [key: string]: unknown };
  open?: WebSpecOpen;
  template?: KubeObject;
  bounded?: string;
}

export interface WebSpecPortsItem {
  name?: string;
  port: number;
}

export interface WebSpecByHostValue {
  tls?: boolean;
}

export interface WebSpecOpen {
  known?: string;
  [field: string]: unknown;
}

export interface WebStatus {
  ready?: number;
}
