import { apiVersionOf, type ResourceType } from '../model/resource.ts';
import type { Discovery } from '../ports/discovery.ts';

/** Serves what the test says, also what has come since the last refresh(); fails while there is a failure. */
export class FakeDiscovery implements Discovery {
  types: readonly ResourceType[];
  failure: Error | undefined;
  /** Answers wait for it. */
  held: Promise<void> | undefined;
  /** How often it was asked. */
  asked = 0;

  constructor(types: readonly ResourceType[]) {
    this.types = types;
  }

  byResource(apiVersion: string, resource: string): Promise<ResourceType | undefined> {
    return this.#find(apiVersion, (type) => type.resource === resource);
  }

  byKind(apiVersion: string, kind: string): Promise<ResourceType | undefined> {
    return this.#find(apiVersion, (type) => type.kind === kind);
  }

  async all(): Promise<readonly ResourceType[]> {
    this.asked++;
    await this.held;
    if (this.failure) throw this.failure;
    return this.types;
  }

  refresh(): void {}

  async #find(apiVersion: string, matches: (type: ResourceType) => boolean): Promise<ResourceType | undefined> {
    const types = await this.all();
    return types.find((type) => apiVersionOf(type) === apiVersion && matches(type));
  }
}
