// ObjectCache over a list that the test holds: whatever is in `objects` is what every scope sees of its resource. It tells
// what the test wants told, and fails to list what it is told to.

import { controllerOf, type KubeObject } from '../model/object.ts';
import { apiVersionOf } from '../model/resource.ts';
import type { CacheChange, CacheScope, ObjectCache } from '../ports/cache.ts';

export class FakeCache implements ObjectCache {
  objects: readonly KubeObject[];
  /** What becomes of a scope that is to be listed. */
  onEnsure: (scope: CacheScope) => Promise<void> = async () => undefined;
  readonly #listeners = new Set<(change: CacheChange) => void>();

  constructor(objects: readonly KubeObject[] = []) {
    this.objects = objects;
  }

  ensure(scope: CacheScope, _holder?: string): Promise<void> {
    return this.onEnsure(scope);
  }

  release(_holder: string, _scope?: CacheScope): void {}

  list({ type, namespace: scoped }: CacheScope, namespace = scoped): readonly KubeObject[] {
    const ofType = this.objects.filter(
      ({ kind, apiVersion }) => kind === type.kind && apiVersion === apiVersionOf(type),
    );
    return namespace === undefined ? ofType : ofType.filter(({ metadata }) => metadata.namespace === namespace);
  }

  get(scope: CacheScope, name: string, namespace?: string): KubeObject | undefined {
    return this.list(scope, namespace).find(({ metadata }) => metadata.name === name);
  }

  ownedBy(scope: CacheScope, ownerUid: string): readonly KubeObject[] {
    return this.list(scope).filter((object) => controllerOf(object)?.uid === ownerUid);
  }

  orphans(scope: CacheScope, namespace?: string): readonly KubeObject[] {
    return this.list(scope, namespace).filter((object) => controllerOf(object) === undefined);
  }

  record(): void {}

  caughtUp(): boolean {
    return true;
  }

  sizes(): ReadonlyMap<string, number> {
    return new Map();
  }

  onChange(listener: (change: CacheChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(change: CacheChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  onError(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {}
}
