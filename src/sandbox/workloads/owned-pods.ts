// Pods as their owners see them: which are theirs, how they are made from a template, which of them count as what.

import { conditionOf, numberAt, textAt, valueAt } from '../../health/index.ts';
import { sha256 } from '../../kit/hash.ts';
import {
  canonicalJson,
  cloneJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from '../../kit/json.ts';
import { controllerOf, isDeleting, type KubeObject, type OwnerReference } from '../../model/object.ts';
import { type Context, sooner } from './context.ts';

export function ownedBy(owner: KubeObject, objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => controllerOf(object)?.uid === owner.metadata.uid);
}

export function podsOf(context: Context, owner: KubeObject): readonly KubeObject[] {
  return ownedBy(owner, context.api.list('', 'pods', owner.metadata.namespace));
}

export function controllerRef(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export interface PodNaming {
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** spec.template of the owner as a pod, with the owner's reference on it. */
export function podFromTemplate(owner: KubeObject, naming: PodNaming): KubeObject {
  const template = valueAt(owner, 'spec', 'template');
  const metadata = valueAt(template, 'metadata');
  const { labels, ...name } = naming;
  const taken = isJsonObject(metadata) ? cloneJson(metadata) : {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...pick(taken, ['annotations', 'finalizers']),
      ...name,
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      labels: { ...labelsOf(taken['labels']), ...labels },
      ownerReferences: [controllerRef(owner)],
    },
    spec: objectOr(cloneJson(valueAt(template, 'spec'))),
  };
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  const taken: MutableJsonObject = {};
  for (const name of names) if (from[name] !== undefined) taken[name] = from[name];
  return taken;
}

/** A map of labels, with what is not text left out. */
export function labelsOf(value: JsonValue | undefined): Record<string, string> {
  const entries = Object.entries(objectOr(value));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function objectOr(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const SAFE = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten characters that stand for a pod template: equal templates, equal hash. No vowels, so no words. */
export function templateHash(template: JsonValue | undefined): string {
  const digest = sha256(canonicalJson(template));
  let text = '';
  for (let i = 0; i < 10; i++) text += SAFE[Number.parseInt(digest.slice(i * 2, i * 2 + 2), 16) % SAFE.length];
  return text;
}

export const isReady = (pod: KubeObject): boolean => conditionOf(pod, 'Ready')?.status === 'True';
export const phaseOf = (pod: KubeObject): string => textAt(pod, 'status', 'phase');
export const hasEnded = (pod: KubeObject): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';
/** Counts towards spec.replicas. */
export const isActive = (pod: KubeObject): boolean => !isDeleting(pod) && !hasEnded(pod);

export interface Availability {
  readonly ready: number;
  readonly available: number;
  /** Milliseconds until one more becomes available by being Ready long enough. */
  readonly changesIn?: number;
}

/** How many of the pods are Ready, and for at least the owner's minReadySeconds. */
export function availabilityOf(context: Context, owner: KubeObject, pods: readonly KubeObject[]): Availability {
  const minimum = (numberAt(owner, 'spec', 'minReadySeconds') ?? 0) * 1_000;
  const ready = pods.filter(isReady);
  let available = 0;
  let changesIn: number | undefined;
  for (const pod of ready) {
    const left = minimum === 0 ? 0 : readySince(pod) + minimum - context.now;
    if (left <= 0) available++;
    else changesIn = sooner(changesIn, left);
  }
  return { ready: ready.length, available, ...(changesIn === undefined ? {} : { changesIn }) };
}

function readySince(pod: KubeObject): number {
  const conditions = valueAt(pod, 'status', 'conditions');
  const ready = Array.isArray(conditions) ? conditions.find((item) => item?.type === 'Ready') : undefined;
  const since = Date.parse(textAt(ready, 'lastTransitionTime'));
  return Number.isNaN(since) ? 0 : since;
}

/** Those to delete when only `keep` are wanted: not Ready before Ready, young before old, then by name. */
export function surplusOf(pods: readonly KubeObject[], keep: number): readonly KubeObject[] {
  return pods.length > keep ? deletionOrder(pods).slice(0, pods.length - Math.max(0, keep)) : [];
}

function deletionOrder(pods: readonly KubeObject[]): readonly KubeObject[] {
  const born = (pod: KubeObject): string => pod.metadata.creationTimestamp ?? '';
  const name = (pod: KubeObject): string => pod.metadata.name ?? '';
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return pods.toSorted(
    (a, b) => Number(isReady(a)) - Number(isReady(b)) || order(born(b), born(a)) || order(name(b), name(a)),
  );
}
