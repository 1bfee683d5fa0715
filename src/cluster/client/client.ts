// The Kubernetes client: plain JSON over any Transport, the network's or the sandbox's.

import type { Discovery } from '../../ports/discovery.ts';
import type { EventWriter } from '../../ports/events.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Predictor } from '../../ports/predict.ts';
import type { Reader } from '../../ports/read.ts';
import type { SchemaReader } from '../../ports/schemas.ts';
import type { Transport } from '../../ports/transport.ts';
import type { Watcher } from '../../ports/watch.ts';
import type { Writer } from '../../ports/write.ts';
import { Caller, type CallerOptions } from './caller.ts';
import { createDiscovery } from './discovery.ts';
import { createEventWriter } from './events.ts';
import { createLeases } from './leases.ts';
import { createSchemaReader } from './open-api.ts';
import { createReader } from './reader.ts';
import { createWatcher } from './watcher.ts';
import { createPredictor, createWriter } from './writer.ts';

export interface ClientOptions extends CallerOptions {
  /** Objects a page of a list. Default 500. */
  readonly pageSize?: number;
}

export interface ClusterClient
  extends Discovery,
    Reader,
    Writer,
    Predictor,
    Watcher,
    SchemaReader,
    EventWriter,
    Leases {
  /** "v1.36.3" */
  serverVersion(): Promise<string>;
  /** Closes the transport. */
  close(): Promise<void>;
}

export function createClient(transport: Transport, options: ClientOptions = {}): ClusterClient {
  const caller = new Caller(transport, options);
  const discovery = createDiscovery(caller);
  const { schemaOf, refresh: refreshSchemas } = createSchemaReader(caller);
  const refresh = (): void => {
    discovery.refresh();
    refreshSchemas();
  };
  return {
    ...{ ...discovery, schemaOf, refresh },
    ...createReader(caller, { pageSize: options.pageSize, onNotServed: refresh }),
    ...createWriter(caller),
    ...createPredictor(caller),
    ...createWatcher(caller),
    ...createEventWriter(caller),
    ...createLeases(caller),
    async serverVersion(): Promise<string> {
      const { gitVersion } = await caller.json({ method: 'GET', path: '/version' });
      return typeof gitVersion === 'string' ? gitVersion : 'unknown';
    },
    close: () => transport.close(),
  };
}
