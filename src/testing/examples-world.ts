// Two examples as the work of a daemon, for tests that trouble it: a CatSet, whose pods come and are replaced one after the
// other, and a ConfigMapPropagation, which copies a ConfigMap that is no child of its own into other namespaces. Edits are
// drawn from a seed; for each it is known what shall be there in the end, and how often each child is created on the way.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ClusterClient } from '../cluster/index.ts';
import { canonicalJson, type JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import { copyExample, type ExampleCopy } from './example-copy.ts';
import { CONFIG_MAPS, NAMESPACES, PODS } from './objects.ts';
import { pick } from './random-json.ts';
import { REVISIONS } from './rollout-project.ts';
import { podLine, revisionLine, statusWithoutTimes } from './state-lines.ts';
import type { TestTarget } from './targets.ts';
import { until } from './until.ts';
import { useCases } from './use-cases.ts';

const PLACES = ['a', 'b', 'c'] as const;
type Place = (typeof PLACES)[number];

/** What the parents say. */
interface Wanted {
  replicas: number;
  image: number;
  data: number;
  places: readonly Place[];
}

export interface ExamplesWorld {
  /** Of the CatSet; those of the copies are this with -a, -b and -c. */
  readonly namespace: string;
  /** Files of the two controllers. */
  readonly definitions: readonly string[];
  /** Directories of the examples: their hooks are sync.js and sync.ts there. */
  readonly directories: { readonly catset: string; readonly propagation: string };
  /** The first time. */
  begin(): Promise<void>;
  /** One edit, drawn at random; what it is. */
  edit(random: () => number): Promise<string>;
  /** A new image and new data: each pod is replaced, each copy updated. `edit()` may be one that is soon done. */
  another(): Promise<void>;
  /** A ConfigMap that is nobody's. */
  mark(name: string): Promise<void>;
  /** What is there, a line each: children and what status says. */
  state(): Promise<string>;
  /** Of these the lines of pods and copies. */
  children(): Promise<string>;
  /** Resolves when everything is as the parents say. */
  settled(withinMs?: number): Promise<void>;
  /** As it shall be: child → how often it has been created since the beginning. */
  readonly creations: ReadonlyMap<string, number>;
  remove(): Promise<void>;
}

/** Groups and namespaces are its own; `prefix` says whose they are. */
export async function examplesWorld(target: TestTarget, client: ClusterClient, prefix: string): Promise<ExamplesWorld> {
  const own = `${prefix}-${randomBytes(3).toString('hex')}`;
  const catset = await copyExample({ name: 'catset', group: 'ctl.enisoc.com', prefix: `${own}-catset` }, target);
  const propagation = await copyExample(
    { name: 'configmap-propagation', group: 'examples.metacontroller.io', prefix: `${own}-copies` },
    target,
  );
  const crds = [join(catset.path, 'crd.yaml'), join(catset.path, 'controllerrevisions.yaml')];
  const paths = [...crds, join(propagation.path, 'crd.yaml')];
  const { status, diagnostics } = await useCases({ cluster: target.choice, paths }).apply();
  if (status === 'failed' || status === 'unsettled') throw new Error(JSON.stringify([status, diagnostics]));
  return new World({ client, catset, propagation });
}

interface Parts {
  readonly client: ClusterClient;
  readonly catset: ExampleCopy;
  readonly propagation: ExampleCopy;
}

/**
 * Pods get no node: whoever plays the kubelet there ends a pod by its name alone, and late on a busy machine, when the next one
 * has that name already. Tests make them Ready (ready-pods.ts).
 */
const NOBODY = 'nobody';

const BY = { fieldManager: 'by-hand' } as const;

class World implements ExamplesWorld {
  readonly #parts: Parts;
  readonly #wanted: Wanted = { replicas: 3, image: 1, data: 1, places: ['a', 'b'] };
  readonly #creations = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get definitions(): readonly string[] {
    const { catset, propagation } = this.#parts;
    return [join(catset.path, 'controller.yaml'), join(propagation.path, 'controller.yaml')];
  }

  get directories(): ExamplesWorld['directories'] {
    const { catset, propagation } = this.#parts;
    return { catset: catset.path, propagation: propagation.path };
  }

  get creations(): ReadonlyMap<string, number> {
    return this.#creations;
  }

  async begin(): Promise<void> {
    for (const place of PLACES)
      await this.#create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.#place(place) } });
    await this.#create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: this.#namespace },
      data: { version: '1' },
    });
    const { catset, propagation } = this.#parts;
    await this.#create(this.#sets, {
      apiVersion: `${catset.group}/v1`,
      kind: 'CatSet',
      metadata: { name: 'web', namespace: catset.namespace },
      spec: { selector: { matchLabels: { app: 'web' } }, ...this.#setSpec() },
    });
    await this.#create(this.#propagations, {
      apiVersion: `${propagation.group}/v1alpha1`,
      kind: 'ConfigMapPropagation',
      metadata: { name: 'settings' },
      spec: { sourceName: 'settings', sourceNamespace: this.#namespace, ...this.#copiesSpec() },
    });
    for (let ordinal = 0; ordinal < this.#wanted.replicas; ordinal++) this.#expect(`pods web-${ordinal}`);
    for (const place of this.#wanted.places) this.#expect(`configmaps ${place}/settings`);
  }

  async edit(random: () => number): Promise<string> {
    const [name, edit] = pick(random, this.#edits);
    await edit(random);
    return name;
  }

  get namespace(): string {
    return this.#namespace;
  }

  async mark(name: string): Promise<void> {
    const metadata = { name, namespace: this.#namespace };
    await this.#create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }

  async another(): Promise<void> {
    await this.#newData();
    // The last, as it keeps the daemon at work for longest.
    await this.#newImage();
  }

  readonly #newImage = async (): Promise<void> => {
    this.#wanted.image++;
    for (let ordinal = 0; ordinal < this.#wanted.replicas; ordinal++) this.#expect(`pods web-${ordinal}`);
    await this.#patchSet();
  };

  readonly #newData = async (): Promise<void> => {
    const version = String(++this.#wanted.data);
    await this.#patch(CONFIG_MAPS, 'settings', { namespace: this.#namespace, patch: { data: { version } } });
  };

  readonly #edits: readonly (readonly [name: string, edit: (random: () => number) => Promise<void>])[] = [
    ['another image', this.#newImage],
    ['other data', this.#newData],
    [
      'other replicas',
      async (random) => {
        const before = this.#wanted.replicas;
        this.#wanted.replicas = pick(
          random,
          [1, 2, 3, 4].filter((count) => count !== before),
        );
        for (let ordinal = before; ordinal < this.#wanted.replicas; ordinal++) this.#expect(`pods web-${ordinal}`);
        await this.#patchSet();
      },
    ],
    [
      'other places',
      async (random) => {
        const before = this.#wanted.places;
        const other = PLACES.filter((place) => !before.includes(place));
        const changed = pick(random, PLACES);
        const after = before.includes(changed) ? before.filter((place) => place !== changed) : [...before, changed];
        this.#wanted.places = after.length > 0 ? after : other;
        for (const place of this.#wanted.places)
          if (!before.includes(place)) this.#expect(`configmaps ${place}/settings`);
        const { targetNamespaces } = this.#copiesSpec();
        await this.#patch(this.#propagations, 'settings', { patch: { spec: { targetNamespaces } } });
      },
    ],
    [
      'a pod is deleted',
      async (random) => {
        const name = `web-${Math.floor(random() * this.#wanted.replicas)}`;
        this.#expect(`pods ${name}`);
        await this.#delete(PODS, name, this.#namespace);
      },
    ],
    [
      'a copy is deleted',
      async (random) => {
        const place = pick(random, this.#wanted.places);
        this.#expect(`configmaps ${place}/settings`);
        await this.#delete(CONFIG_MAPS, 'settings', this.#place(place));
      },
    ],
    [
      'a copy is edited',
      async (random) => {
        const namespace = this.#place(pick(random, this.#wanted.places));
        await this.#patch(CONFIG_MAPS, 'settings', { namespace, patch: { data: { version: 'by hand' } } });
      },
    ],
  ];

  async state(): Promise<string> {
    const { client } = this.#parts;
    const namespace = this.#namespace;
    const [pods, revisions, set, propagation, ...copies] = await Promise.all([
      client.list(PODS, { namespace, labelSelector: 'app=web' }),
      client.list(REVISIONS, { namespace }),
      client.get(this.#sets, 'web', namespace),
      client.get(this.#propagations, 'settings'),
      ...PLACES.map((place) => client.get(CONFIG_MAPS, 'settings', this.#place(place))),
    ]);
    return [
      ...pods.items.map(podLine).sort(),
      ...PLACES.flatMap((place, index) => {
        const copy = copies[index];
        return copy ? [`copy ${place} ${JSON.stringify(copy['data'])}`] : [];
      }),
      ...revisions.items.map(revisionLine).sort(),
      `set ${canonicalJson(statusWithoutTimes(set))}`,
      `propagation ${canonicalJson(statusWithoutTimes(propagation))}`,
    ].join('\n');
  }

  async children(): Promise<string> {
    const lines = (await this.state()).split('\n');
    return lines.filter((line) => /^(?:pod|copy) /.test(line)).join('\n');
  }

  async settled(withinMs = 120_000): Promise<void> {
    let seen = '';
    const isRight = async (): Promise<boolean> => {
      seen = await this.state();
      return this.#lines().every((line) => seen.includes(line)) && this.#isAlone(seen);
    };
    await until('everything is as the parents say', isRight, withinMs).catch(() => {
      throw new Error(
        `it did not come to be as the parents say.\nwanted:\n${this.#lines().join('\n')}\nseen:\n${seen}`,
      );
    });
  }

  async remove(): Promise<void> {
    const { catset, propagation } = this.#parts;
    await catset.remove();
    await propagation.remove();
  }

  /** Of the state, what must be there. */
  #lines(): readonly string[] {
    const { replicas, image, data, places } = this.#wanted;
    return [
      ...Array.from({ length: replicas }, (_, ordinal) => `pod web-${ordinal} nginx:${image} is Ready`),
      ...places.map((place) => `copy ${place} {"version":"${data}"}`),
      `set {"conditions":["Ready=True","Updated=True"],"readyReplicas":${replicas},"replicas":${replicas}}`,
      `propagation {"actualCopies":${places.length},"conditions":["Ready=True"],"expectedCopies":${places.length}}`,
    ];
  }

  /** Nothing else is there: no pod, no copy, no revision too many. */
  #isAlone(state: string): boolean {
    const count = (kind: string): number => state.split('\n').filter((line) => line.startsWith(`${kind} `)).length;
    const { replicas, places } = this.#wanted;
    return count('pod') === replicas && count('copy') === places.length && count('revision') === 1;
  }

  get #namespace(): string {
    return this.#parts.catset.namespace;
  }

  #place(place: Place): string {
    return `${this.#namespace}-${place}`;
  }

  get #sets(): ResourceType {
    const { group } = this.#parts.catset;
    return { ...PODS, group, version: 'v1', kind: 'CatSet', resource: 'catsets' };
  }

  get #propagations(): ResourceType {
    const { group } = this.#parts.propagation;
    const scope = { group, version: 'v1alpha1', namespaced: false };
    return { ...PODS, ...scope, kind: 'ConfigMapPropagation', resource: 'configmappropagations' };
  }

  #setSpec() {
    const { replicas, image } = this.#wanted;
    const containers = [{ name: 'web', image: `nginx:${image}` }];
    const spec = { schedulerName: NOBODY, terminationGracePeriodSeconds: 0, containers };
    return { replicas, template: { metadata: { labels: { app: 'web' } }, spec } };
  }

  #copiesSpec() {
    return { targetNamespaces: this.#wanted.places.map((place) => this.#place(place)) };
  }

  #patchSet(): Promise<void> {
    return this.#patch(this.#sets, 'web', { namespace: this.#namespace, patch: { spec: this.#setSpec() } });
  }

  #expect(child: string): void {
    this.#creations.set(child, (this.#creations.get(child) ?? 0) + 1);
  }

  async #create(type: ResourceType, object: KubeObject): Promise<void> {
    await this.#parts.client.write({ verb: 'create', type, ...BY, object });
  }

  async #patch(
    type: ResourceType,
    name: string,
    { namespace, patch }: { readonly namespace?: string; readonly patch: JsonObject },
  ): Promise<void> {
    const at = { type, name, ...(namespace === undefined ? {} : { namespace }), ...BY };
    await this.#parts.client.write({ ...at, verb: 'patch', contentType: 'application/merge-patch+json', patch });
  }

  async #delete(type: ResourceType, name: string, namespace: string): Promise<void> {
    await this.#parts.client.write({ verb: 'delete', type, ...BY, name, namespace });
  }
}
