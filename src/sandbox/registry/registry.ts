// Which resources are served now: the built-ins of the generated table plus what CRDs add and take away.

import { builtInKinds } from './built-in.ts';
import type { ResourceKind } from './resource-kind.ts';

export class Registry {
  readonly #byId = new Map<string, ResourceKind>();
  readonly #byGroup = new Map<string, Map<string, ResourceKind>>();

  constructor() {
    for (const kind of builtInKinds()) this.add(kind);
  }

  /** Adds, or replaces the entry of the same group and resource. */
  add(kind: ResourceKind): void {
    this.#byId.set(kind.id, kind);
    const group = this.#byGroup.get(kind.group) ?? new Map<string, ResourceKind>();
    group.set(kind.resource, kind);
    this.#byGroup.set(kind.group, group);
  }

  remove(kind: ResourceKind): void {
    this.#byId.delete(kind.id);
    const group = this.#byGroup.get(kind.group);
    group?.delete(kind.resource);
    if (group?.size === 0) this.#byGroup.delete(kind.group);
  }

  byId(id: string): ResourceKind | undefined {
    return this.#byId.get(id);
  }

  find(group: string, resource: string): ResourceKind | undefined {
    return this.#byGroup.get(group)?.get(resource);
  }

  findKind(group: string, kind: string): ResourceKind | undefined {
    for (const candidate of this.#byGroup.get(group)?.values() ?? []) if (candidate.kind === kind) return candidate;
    return undefined;
  }

  hasGroup(group: string): boolean {
    return this.#byGroup.has(group);
  }

  /** Groups in the order in which they were first added: built-ins as the server lists them, then CRDs. */
  groups(): IterableIterator<string> {
    return this.#byGroup.keys();
  }

  inGroup(group: string): readonly ResourceKind[] {
    return [...(this.#byGroup.get(group)?.values() ?? [])];
  }

  all(): IterableIterator<ResourceKind> {
    return this.#byId.values();
  }
}

/** Versions of a group, the preferred one first. */
export function groupVersions(kinds: readonly ResourceKind[]): string[] {
  const names = new Set<string>();
  for (const kind of kinds) for (const version of kind.versions) names.add(version.name);
  const sorted = [...names];
  return kinds.some((kind) => kind.custom) ? sorted.sort(compareVersions) : sorted;
}

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Kubernetes' order of versions: v2, v1, v2beta1, v1alpha3 …, then everything else by name. */
export function compareVersions(a: string, b: string): number {
  const x = VERSION.exec(a);
  const y = VERSION.exec(b);
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const stage = (m: RegExpExecArray): number => STAGES[m[2] ?? ''] ?? 2;
  return stage(y) - stage(x) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0);
}
