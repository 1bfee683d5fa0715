// An example as its README runs it, on any server: applied to the end, edited, planned, with its writes in order.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { KubeObject } from '../model/object.ts';
import { changesOf } from '../model/plan.ts';
import type { ResourceType } from '../model/resource.ts';
import type { Transport } from '../ports/transport.ts';
import { countingFront } from './counting-front.ts';
import { copyExample, type ExampleCopy, type ExampleSource } from './example-copy.ts';
import { CONFIG_MAPS } from './objects.ts';
import type { TestTarget } from './targets.ts';
import { type UseCases, useCases } from './use-cases.ts';
import { WriteLog } from './write-log.ts';

export interface ExampleProject extends ExampleCopy, UseCases {
  /** Past the front, so that it is not logged. */
  readonly client: ClusterClient;
  /** Applied until nothing is left to do; returns what was written to children. Any other end is an error with what apply said. */
  settle(): Promise<string[]>;
  /** What a plan would change, as "create Pod x"; settled is none. */
  planned(): Promise<string[]>;
  /** The objects of a kind in the project's namespace, by name. */
  list(type: ResourceType): Promise<readonly KubeObject[]>;
  /** A kind of the example's group, with status; namespaced, v1 unless told otherwise. */
  type(kind: string, resource: string, more?: Partial<ResourceType>): ResourceType;
}

export interface ExampleProjectOptions extends ExampleSource {
  /** Stands before the server and sees each request of the project. */
  readonly through?: (transport: Transport) => Transport;
  /** Not limited to the project's namespace: for parents and children that are in none or in several. */
  readonly everywhere?: boolean;
}

/** Rollouts of pods on a machine that has much else to do. */
const LONGEST_MS = 180_000;

/** Call inside a test: what it makes goes when the test ends. */
export async function exampleProject(target: TestTarget, options: ExampleProjectOptions): Promise<ExampleProject> {
  const { name, through = (transport) => transport, everywhere = false } = options;
  const copy = await copyExample(options, target);
  after(() => copy.remove());
  const { path, namespace, group } = copy;
  const log = new WriteLog();
  const kubeconfig = join(path, 'kubeconfig');
  const front = await countingFront(log.over(through(target.transport)), kubeconfig, () => undefined);
  after(() => front.close());
  const client = createClient(target.transport);
  const cases = useCases({ cluster: { kubeconfig }, paths: [path], ...(everywhere ? {} : { namespace }) });
  return {
    ...{ ...copy, ...cases, client },
    settle: async () => {
      const { status, diagnostics, waitingOn } = await cases.apply({ timeoutMs: LONGEST_MS });
      if (status !== 'settled' && status !== 'nothing')
        throw new Error(`${name}: ${status} ${JSON.stringify([diagnostics, waitingOn])}`);
      // Inputs go by server-side apply, children of the examples don't.
      return log.take().filter((line) => !line.startsWith('PATCH ') && !line.endsWith(' status'));
    },
    planned: async () => {
      const { plan, diagnostics } = await cases.plan();
      if (!plan) throw new Error(JSON.stringify(diagnostics));
      return changesOf(plan).map(({ action, object }) => `${action} ${object.kind} ${object.name}`);
    },
    list: async (type) => {
      const { items } = await client.list(type, { namespace });
      return [...items].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
    },
    type: (kind, resource, more = {}) => {
      const usual = { ...CONFIG_MAPS, group, version: 'v1', subresources: ['status'] };
      return { ...usual, kind, resource, ...more };
    },
  };
}

/** Why a program that a hook needs can't run here; false: it can. For `skip` of a test. */
export function missingProgram(program: string): string | false {
  return spawnSync(program, ['--version']).status === 0 ? false : `${program} is not on this machine`;
}
