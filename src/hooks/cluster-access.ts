// What webhooks need of the cluster: the objects that their definitions refer to, and a way to the Services in it.

import type { KubeObject } from '../model/object.ts';
import type { Reader } from '../ports/read.ts';
import type { Transport } from '../ports/transport.ts';
import type { Tunnels } from '../ports/tunnel.ts';

export interface HookCluster {
  /** Secrets and ConfigMaps are read by name only. */
  readonly reader: Reader;
  /** Told of each Secret before anything of it is used, so that its values can be kept out of what is said. */
  readonly onSecret: (secret: KubeObject) => void;
  /** Present where Services are out of reach by their names: on a workstation. Absent: they are called directly. */
  readonly outside?: ServiceReach;
}

export interface ServiceReach {
  readonly transport: Transport;
  readonly tunnels: Tunnels;
}
