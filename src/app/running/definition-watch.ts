// The definitions of a cluster, followed: controllers come, change and go with their objects. And the CRDs, followed for
// what they mean to controllers: that a resource is served now, or no more. Neither is asked for again and again: watches
// tell. Where the CRDs may not be watched, what is served is looked up every discovery interval. What is there and could not
// be followed is tried again, ever more slowly, until it is; a kind of controllers that is not installed is not asked for.

import type { ClusterClient } from '../../cluster/index.ts';
import { backoffDelay } from '../../kit/backoff.ts';
import type { Clock } from '../../kit/clock.ts';
import { createLimiter } from '../../kit/concurrency.ts';
import type { Definition } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KubeObject } from '../../model/object.ts';
import { groupResourceOf } from '../../model/resource.ts';
import type { CacheChange, ObjectCache } from '../../ports/cache.ts';
import { isToBeServed, sameService } from './crd-service.ts';
import { FollowedKinds, type Kind } from './followed-kinds.ts';

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

const GROUP = 'metacontroller.k8s.io';
const VERSION = 'v1alpha1';
const RESOURCES = ['compositecontrollers', 'decoratorcontrollers', 'mapcontrollers'];
const CRDS: Kind = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const RETRY_MS = { base: 1_000, cap: 60_000 };
/** CRDs come in flocks, and discovery lists them a moment after they are established. */
const SETTLE_MS = 200;

export class DefinitionWatch {
  readonly #parts: DefinitionWatchParts;
  readonly #listener: DefinitionListener;
  readonly #kinds: FollowedKinds;
  /** One look after the other at what is served; what is told meanwhile does not wait for them, as they may take long. */
  readonly #looking = createLimiter(1);
  /** What becomes of a controller is told in the order in which it happened, though its object takes a while to read. */
  readonly #telling = createLimiter(1);
  #wanted = false;
  #off: () => void = () => undefined;
  #cancel: (() => void) | undefined;
  #cancelPoll: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;
  #failures = 0;
  #closed = false;

  constructor(parts: DefinitionWatchParts, listener: DefinitionListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.#kinds = new FollowedKinds(parts, (problem) => {
      if (!this.#closed) listener.onProblem(problem);
    });
  }

  /** `definitions`: those of the cluster are wanted, not only its CRDs. Resolves when all that are there have been told. */
  async start({ definitions }: { readonly definitions: boolean }): Promise<void> {
    const { cache } = this.#parts;
    this.#off = cache.onChange((change) => this.#changed(change));
    this.#wanted = definitions;
    await this.#looking(() => this.#look());
    this.#pollUnlessFollowed();
  }

  /** False: a kind of controllers is not served, and none of it can run. */
  get followsControllers(): boolean {
    return this.#controllers().some((kind) => this.#kinds.has(kind));
  }

  /** Kinds of controllers that are there and are not followed, with the reason: "compositecontrollers (refused)". */
  unfollowed(): readonly string[] {
    return this.#controllers()
      .filter((kind) => !this.#kinds.has(kind))
      .flatMap((kind) => {
        const reason =
          this.#kinds.problemOf(kind)?.summary ?? (this.#isToBeServed(kind) ? 'not served yet' : undefined);
        return reason === undefined ? [] : [`${kind.resource} (${reason})`];
      });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#off();
    this.#cancel?.();
    this.#cancelPoll();
    this.#cancelRetry();
    // A look that is under way ends with the cache.
    await this.#telling(async () => undefined);
  }

  #controllers(): readonly Kind[] {
    if (!this.#wanted) return [];
    const { labelSelector } = this.#parts;
    return RESOURCES.map((resource) => ({ group: GROUP, version: VERSION, resource, labelSelector }));
  }

  /** What is not followed is tried. Resolves when the controllers that were found have been told. */
  async #look(): Promise<void> {
    await Promise.all([this.#kinds.follow(CRDS), this.#followControllers()]);
    this.#tryAgain();
  }

  async #followControllers(): Promise<void> {
    for (const kind of this.#controllers()) {
      if (this.#kinds.has(kind)) continue;
      const scope = await this.#kinds.follow(kind);
      if (this.#closed) return;
      if (scope) await this.#tellAll(this.#parts.cache.list(scope));
    }
  }

  /** Its CRD is there. */
  #isToBeServed({ group, version, resource }: Kind): boolean {
    const scope = this.#kinds.scopeOf(CRDS);
    const crds = scope ? this.#parts.cache.list(scope) : [];
    const crd = crds.find(({ metadata }) => metadata.name === `${resource}.${group}`);
    return crd !== undefined && isToBeServed(crd, version);
  }

  #changed(change: CacheChange): void {
    const { type, before, after } = change;
    if (groupResourceOf(type) === groupResourceOf(CRDS)) {
      if (!sameService(change)) this.#resourcesChanged();
    } else if (type.group === GROUP && this.#kinds.has(type)) {
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
    if (this.#closed || discoveryMs <= 0 || this.#kinds.has(CRDS)) return;
    this.#cancelPoll = clock.schedule(discoveryMs, () =>
      this.#lookAnew(async () => {
        await this.#look();
        this.#listener.onResourcesChanged();
        this.#pollUnlessFollowed();
      }),
    );
  }

  #resourcesChanged(): void {
    this.#cancel ??= this.#parts.clock.schedule(SETTLE_MS, () => {
      this.#cancel = undefined;
      this.#failures = 0;
      this.#lookAnew(async () => {
        await this.#look();
        this.#listener.onResourcesChanged();
      });
    });
  }

  #tryAgain(): void {
    this.#cancelRetry();
    if (this.#closed) return;
    if (!this.#isInTrouble()) {
      this.#failures = 0;
      return;
    }
    this.#cancelRetry = this.#parts.clock.schedule(backoffDelay(RETRY_MS, this.#failures++), () =>
      this.#lookAnew(async () => {
        const knewCrds = this.#kinds.has(CRDS);
        await this.#look();
        // What became of them until now, nobody has told.
        if (!knewCrds && this.#kinds.has(CRDS)) this.#listener.onResourcesChanged();
      }),
    );
  }

  /** CRDs that may not be watched are left to the discovery interval. */
  #isInTrouble(): boolean {
    const ofCrds = this.#kinds.problemOf(CRDS);
    return this.unfollowed().length > 0 || (ofCrds !== undefined && ofCrds.code !== 'forbidden');
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
    work.catch((error: unknown) => {
      // A look that ends because the cache does is no defect.
      if (!this.#closed) this.#listener.onCrash(error);
    });
  }
}

const idOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;
