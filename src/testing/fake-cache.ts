// ObjectCache over a list that the test holds: whatever is in `objects` is what every scope sees of its resource.

import { controllerOf, type KubeObject } from '../model/object.ts';
import { apiVersionOf } from '../model/resource.ts';
import type { CacheScope, ObjectCache } from '../ports/cache.ts';

export class FakeCache implements ObjectCache {
  objects: readonly KubeObject[];

  constructor(objects: readonly KubeObject[] = []) {
    this.objects = objects;
  }

  async ensure(_scope: CacheScope, _holder?: string): Promise<void> {}

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

  onChange(): () => void {
    return () => undefined;
  }

  onError(): () => void {
    return () => undefined;
  }

  async close(): Promise<void> {}
}
