// The definitions of a cluster, followed: controllers come, change and go with their objects. And the CRDs, followed for
// what they mean to controllers: that a resource is served now, or no more. Neither is asked for again and again: watches
// tell. Where the CRDs may not be watched, what is served is looked up every discovery interval.

import type { ClusterClient } from '../../cluster/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { createLimiter } from '../../kit/concurrency.ts';
import type { JsonObject } from '../../kit/json.ts';
import { getOwn, isJsonArray, isJsonObject, jsonEqual } from '../../kit/json.ts';
import type { Definition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { groupResourceOf, type ResourceType } from '../../model/resource.ts';
import type { CacheChange, CacheScope, ObjectCache } from '../../ports/cache.ts';
import { diagnosticsOf } from '../problems.ts';

export interface DefinitionWatchParts {
  readonly client: Pick<ClusterClient, 'byResource' | 'refresh'>;
  readonly cache: Pick<ObjectCache, 'ensure' | 'list' | 'onChange'>;
  readonly clock: Clock;
  /** Only controllers with these labels; "": all. */
  readonly labelSelector: string;
  /** How often what is served is looked up where the CRDs may not be watched; 0: never. */
  readonly discoveryMs: number;
  /** Reads an object as a definition, or says what is wrong with it. */
  readonly read: (
    object: KubeObject,
  ) => Promise<{ readonly definition?: Definition; readonly problems: readonly Diagnostic[] }>;
}

export interface DefinitionListener {
  onDefinition(definition: Definition): void;
  /** It is not to run: it went, or what it has become is no definition (`problems`). */
  onNone(id: string, object: KubeObject, problems: readonly Diagnostic[]): void;
  onResourcesChanged(): void;
  /** Something can't be followed. */
  onProblem(problem: Diagnostic): void;
  onCrash(error: unknown): void;
}

const CONTROLLERS = 'metacontroller.k8s.io/v1alpha1';
const RESOURCES = ['compositecontrollers', 'decoratorcontrollers', 'mapcontrollers'];
const CRDS = ['apiextensions.k8s.io/v1', 'customresourcedefinitions'] as const;
const CRDS_FOLLOWED = 'customresourcedefinitions.apiextensions.k8s.io';
/** CRDs come in flocks, and discovery lists them a moment after they are established. */
const SETTLE_MS = 200;

export class DefinitionWatch {
  readonly #parts: DefinitionWatchParts;
  readonly #listener: DefinitionListener;
  /** Followed kinds, by group and resource. */
  readonly #followed = new Map<string, ResourceType>();
  /** One look after the other at what is served; what is told meanwhile does not wait for them, as they may take long. */
  readonly #looking = createLimiter(1);
  /** What becomes of a controller is told in the order in which it happened, though its object takes a while to read. */
  readonly #telling = createLimiter(1);
  #wanted = false;
  #off: () => void = () => undefined;
  #cancel: (() => void) | undefined;
  #cancelPoll: () => void = () => undefined;
  #closed = false;

  constructor(parts: DefinitionWatchParts, listener: DefinitionListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  /** `definitions`: those of the cluster are wanted, not only its CRDs. Resolves when all that are there have been told. */
  async start({ definitions }: { readonly definitions: boolean }): Promise<void> {
    const { cache } = this.#parts;
    this.#off = cache.onChange((change) => this.#changed(change));
    this.#wanted = definitions;
    await this.#looking(() => Promise.all([this.#follow(...CRDS, ''), this.#followControllers()]));
    this.#pollUnlessFollowed();
  }

  /** False: a kind of controllers is not served, and none of it can run. */
  get followsControllers(): boolean {
    return RESOURCES.some((resource) => this.#followed.has(`${resource}.metacontroller.k8s.io`));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#off();
    this.#cancel?.();
    this.#cancelPoll();
    // A look that is under way ends with the cache.
    await this.#telling(async () => undefined);
  }

  async #followControllers(): Promise<void> {
    if (!this.#wanted) return;
    for (const resource of RESOURCES) {
      if (this.#followed.has(`${resource}.metacontroller.k8s.io`)) continue;
      const scope = await this.#follow(CONTROLLERS, resource, this.#parts.labelSelector);
      if (scope) await this.#tellAll(this.#parts.cache.list(scope));
    }
  }

  /** Its scope, listed; undefined: not served, or not to be read (and that was told). */
  async #follow(
    apiVersion: string,
    resource: string,
    ...[selector, how]: [selector: string, how?: 'quietly']
  ): Promise<CacheScope | undefined> {
    const { client, cache } = this.#parts;
    try {
      const type = await client.byResource(apiVersion, resource);
      if (!type) return undefined;
      const scope = { type, ...(selector === '' ? {} : { labelSelector: selector }) };
      await cache.ensure(scope);
      this.#followed.set(groupResourceOf(type), type);
      return this.#closed ? undefined : scope;
    } catch (error) {
      if (this.#closed) return undefined;
      if (how !== 'quietly') for (const problem of diagnosticsOf(error)) this.#listener.onProblem(problem);
      return undefined;
    }
  }

  #changed(change: CacheChange): void {
    const resource = groupResourceOf(change.type);
    if (resource === CRDS_FOLLOWED) {
      if (!sameService(change)) this.#resourcesChanged();
    } else if (this.#followed.has(resource) && change.type.group === 'metacontroller.k8s.io') {
      const { before, after } = change;
      if (after) this.#inBackground(this.#tellAll([after]));
      else if (before) this.#inBackground(this.#telling(async () => this.#listener.onNone(idOf(before), before, [])));
    }
  }

  /** In one piece with the reading of `objects`: what happens to them later is told later. */
  #tellAll(objects: readonly KubeObject[]): Promise<void> {
    return this.#telling(async () => {
      for (const object of objects) await this.#told(object);
    });
  }

  async #told(object: KubeObject): Promise<void> {
    const { definition, problems } = await this.#parts.read(object);
    if (definition) this.#listener.onDefinition(definition);
    else this.#listener.onNone(idOf(object), object, problems);
  }

  /** CRDs that may be followed one day are followed then, and there is no more polling. */
  #pollUnlessFollowed(): void {
    const { clock, discoveryMs } = this.#parts;
    if (this.#closed || discoveryMs <= 0 || this.#followed.has(CRDS_FOLLOWED)) return;
    this.#cancelPoll = clock.schedule(discoveryMs, () =>
      this.#lookAnew(async () => {
        await this.#follow(...CRDS, '', 'quietly');
        await this.#followControllers();
        this.#listener.onResourcesChanged();
        this.#pollUnlessFollowed();
      }),
    );
  }

  #resourcesChanged(): void {
    this.#cancel ??= this.#parts.clock.schedule(SETTLE_MS, () => {
      this.#cancel = undefined;
      this.#lookAnew(async () => {
        await this.#followControllers();
        this.#listener.onResourcesChanged();
      });
    });
  }

  #lookAnew(look: () => Promise<void>): void {
    const looked = this.#looking(async () => {
      if (this.#closed) return;
      this.#parts.client.refresh();
      await look();
    });
    this.#inBackground(looked);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#listener.onCrash(error));
  }
}

const idOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

/** Does the CRD serve the same as before? */
function sameService({ before, after }: CacheChange): boolean {
  if (!before || !after) return false;
  return jsonEqual(servedBy(before), servedBy(after));
}

function servedBy(crd: KubeObject): JsonObject {
  const spec = objectIn(crd, 'spec');
  const versions = getOwn(spec, 'versions');
  const conditions = getOwn(objectIn(crd, 'status'), 'conditions');
  const served = isJsonArray(versions) ? versions.filter(isJsonObject) : [];
  return {
    names: getOwn(spec, 'names') ?? null,
    scope: getOwn(spec, 'scope') ?? null,
    versions: served.map((version) => ({
      name: getOwn(version, 'name') ?? null,
      served: getOwn(version, 'served') ?? null,
      subresources: getOwn(version, 'subresources') ?? null,
    })),
    established: isJsonArray(conditions)
      ? conditions.some((one) => isJsonObject(one) && one['type'] === 'Established' && one['status'] === 'True')
      : false,
    going: crd.metadata.deletionTimestamp !== undefined,
  };
}

function objectIn(of: JsonObject, key: string): JsonObject {
  const value = getOwn(of, key);
  return isJsonObject(value) ? value : {};
}
