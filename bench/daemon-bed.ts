// The parents and children of the daemon's benchmark on the server, and the writes that a bare client sends in the daemon's
// place: the very children that the daemon made, as children of the same parents in another namespace.

import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterClient, createClient } from '../src/cluster/index.ts';
import { mapLimited } from '../src/kit/concurrency.ts';
import type { KubeObject } from '../src/model/object.ts';
import type { Transport } from '../src/ports/transport.ts';
import type { BareWrite } from './bare-client.ts';
import { BOXES, crd, MAPS, RESOURCES } from './project.ts';
import { send } from './servers.ts';

const MERGE = 'application/merge-patch+json';
const AT_ONCE = 32;

export interface Shape {
  readonly namespace: string;
  readonly parents: number;
  readonly childrenEach: number;
}

/** A namespace with its parents. */
export class Bed {
  readonly shape: Shape;
  readonly #client: ClusterClient;
  readonly #transport: Transport;
  #behind: string | undefined;
  #released = { version: 0, parents: 0 };

  private constructor(transport: Transport, shape: Shape) {
    this.shape = shape;
    this.#transport = transport;
    this.#client = createClient(transport);
  }

  /** The resource is served already: see serveBoxes(). */
  static async make(transport: Transport, shape: Shape): Promise<Bed> {
    const { namespace, parents } = shape;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await send(transport, 'POST', { path: '/api/v1/namespaces', body });
    const indexes = Array.from({ length: parents }, (_, index) => index);
    await mapLimited(indexes, AT_ONCE, (index) =>
      send(transport, 'POST', { path: boxPath(namespace), body: boxOf(shape, index) }),
    );
    return new Bed(transport, shape);
  }

  /**
   * Every child is there, and every parent's status says so of its present spec. Asked often, beside what is measured: until
   * the parent that was found behind has come up, no other is looked at.
   */
  async isSettled(version: number): Promise<boolean> {
    const { namespace, parents, childrenEach } = this.shape;
    if ((await this.#configMapCount()) < parents * childrenEach) return false;
    const name = this.#behind;
    const box = name === undefined ? undefined : await this.#client.get(BOXES, name, namespace);
    if (box && !settledBox(box, version)) return false;
    const { items } = await this.#client.list(BOXES, { namespace });
    this.#behind = items.findLast((each) => !settledBox(each, version))?.metadata.name;
    return this.#behind === undefined && this.#isReleased(items);
  }

  /** Parents are changed while the daemon works: a parent whose change is still to come is not settled. */
  #isReleased(boxes: readonly KubeObject[]): boolean {
    const { version, parents } = this.#released;
    return boxes.filter((box) => wantedVersion(box) >= version).length >= parents;
  }

  /** The first parents want their children in another version. */
  async release(version: number, parents: number): Promise<void> {
    this.#released = { version, parents };
    await mapLimited(this.releases(version, parents), AT_ONCE, ({ path, body, contentType = MERGE }) =>
      send(this.#transport, 'PATCH', { path, body, contentType }),
    );
  }

  releases(version: number, parents: number): BareWrite[] {
    const { namespace } = this.shape;
    return Array.from({ length: parents }, (_, index) =>
      patchOf(`${boxPath(namespace)}/box-${index}`, { spec: { version } }),
    );
  }

  /** What makes the children of `model`, and the statuses of its parents, here. */
  async creations(model: Bed): Promise<BareWrite[][]> {
    const uids = await this.#uids();
    const path = `/api/v1/namespaces/${this.shape.namespace}/configmaps`;
    const children = (await model.children()).map((child) => ({
      method: 'POST' as const,
      path,
      body: { ...child, metadata: this.#metadataHere(child, uids) },
    }));
    return [children, await this.statuses(model)];
  }

  /** What brings the children here to the state of those in `model`: of as many parents, whose statuses follow. */
  async updates(model: Bed, parents: number): Promise<BareWrite[][]> {
    const [wanted, live] = await Promise.all([model.children(), this.children()]);
    const names = new Set(Array.from({ length: parents }, (_, index) => `box-${index}`));
    const data = new Map(wanted.map((child) => [child.metadata.name, child]));
    const puts = live.flatMap((child) => {
      const target = data.get(child.metadata.name);
      if (!target || !names.has(child.metadata.labels?.['box'] ?? '')) return [];
      const { annotations } = target.metadata;
      const metadata = { ...child.metadata, ...(annotations ? { annotations } : {}) };
      const path = `/api/v1/namespaces/${this.shape.namespace}/configmaps/${child.metadata.name}`;
      return [{ method: 'PUT' as const, path, body: { ...target, metadata } }];
    });
    return [puts, (await this.statuses(model)).slice(0, parents)];
  }

  async statuses(model: Bed): Promise<BareWrite[]> {
    const { items } = await this.#client.list(BOXES, { namespace: model.shape.namespace });
    const byIndex = [...items].sort((a, b) => indexOf(a) - indexOf(b));
    return byIndex.map(({ metadata, status }) =>
      patchOf(`${boxPath(this.shape.namespace)}/${metadata.name}/status`, { status: status ?? {} }),
    );
  }

  async children(): Promise<readonly KubeObject[]> {
    return (await this.#client.list(MAPS, { namespace: this.shape.namespace, labelSelector: 'box' })).items;
  }

  /** As somebody does by hand. */
  async removeChild(name: string): Promise<void> {
    const { namespace } = this.shape;
    await this.#client.write({ verb: 'delete', type: MAPS, fieldManager: 'bench', name, namespace });
  }

  async #configMapCount(): Promise<number> {
    // One object, and how many more there are: no load.
    const path = `/api/v1/namespaces/${this.shape.namespace}/configmaps?limit=1`;
    const answer = await this.#transport.request({ method: 'GET', path, headers: { accept: 'application/json' } });
    const { items, metadata } = JSON.parse(await answer.text());
    return items.length + (metadata.remainingItemCount ?? 0);
  }

  async #uids(): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#client.list(BOXES, { namespace: this.shape.namespace });
    return new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? '']));
  }

  #metadataHere({ metadata }: KubeObject, uids: ReadonlyMap<string, string>): object {
    const { name, labels, annotations, ownerReferences = [] } = metadata;
    const owners = ownerReferences.map((owner) => ({ ...owner, uid: uids.get(owner.name) ?? owner.uid }));
    return { name, namespace: this.shape.namespace, labels, annotations, ownerReferences: owners };
  }
}

export async function serveBoxes(transport: Transport): Promise<void> {
  const path = `/apis/${RESOURCES.apiVersion}/${RESOURCES.resource}`;
  const isServed = async (): Promise<boolean> => {
    const answer = await transport.request({ method: 'GET', path, headers: { accept: 'application/json' } });
    await answer.text();
    return answer.status === 200;
  };
  // An earlier topic may have brought it.
  if (await isServed()) return;
  await send(transport, 'POST', { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: crd() });
  while (!(await isServed())) await sleep(50);
}

function boxOf({ namespace, childrenEach }: Shape, index: number): object {
  const name = `box-${index}`;
  const spec = { children: childrenEach, version: 0, selector: { matchLabels: { box: name } } };
  return { apiVersion: RESOURCES.apiVersion, kind: 'Box', metadata: { name, namespace }, spec };
}

const boxPath = (namespace: string): string => `/apis/${RESOURCES.apiVersion}/namespaces/${namespace}/boxes`;

const patchOf = (path: string, body: object): BareWrite => ({ method: 'PATCH', path, body, contentType: MERGE });

const indexOf = ({ metadata }: KubeObject): number => Number((metadata.name ?? '').replace('box-', ''));

function settledBox(box: KubeObject, version: number): boolean {
  const { observedGeneration, version: seen } = (box['status'] ?? {}) as Record<string, unknown>;
  const wanted = wantedVersion(box);
  // Those that were not released again stay behind.
  return observedGeneration === box.metadata.generation && seen === wanted && wanted <= version;
}

const wantedVersion = (box: KubeObject): number => (box['spec'] as { version: number }).version;
