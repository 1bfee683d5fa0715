// What hooks ask of a request: the objects of one kind, sorted by name ("web-2" before "web-10"), as that kind.
// `childrenOf(request, 'v1', 'Pod')` gives Pods; where the request says which kinds it has, another one does not compile. A kind of
// one's own in a request that says nothing: `childrenOf<Web>(request, 'example.com/v1', 'Web')`.

import { controllerOf, type KubeObject, type OwnerReference } from '../model/object.ts';
import type { BuiltInKind } from './kinds.ts';
import type { ObjectOfKind } from './shapes.ts';

type Groups = Readonly<Record<string, Readonly<Record<string, ObjectOfKind>>>>;

/** A built-in kind by its name, else plain JSON. */
type Named<ApiVersion, Kind> = [Extract<BuiltInKind, { apiVersion: ApiVersion; kind: Kind }>] extends [never]
  ? KubeObject
  : Extract<BuiltInKind, { apiVersion: ApiVersion; kind: Kind }>;

/** The kind of a group of G. */
type KindIn<G, ApiVersion extends string, Kind extends string> = string extends keyof G
  ? Named<ApiVersion, Kind>
  : G[`${Kind}.${ApiVersion}` & keyof G] extends Readonly<Record<string, infer One>>
    ? One
    : never;

/** Refuses a kind that G, which says what it has, does not have. */
type In<G, ApiVersion extends string, Kind extends string> = string extends keyof G
  ? unknown
  : `${Kind}.${ApiVersion}` extends keyof G
    ? unknown
    : never;

// `= never`: the first forms are for a kind that is said, and take no call that does not say one.

/** The observed children of one kind. */
export function childrenOf<Child extends ObjectOfKind = never>(
  request: { readonly children: Groups },
  apiVersion: Child['apiVersion'],
  kind: Child['kind'],
): Child[];
export function childrenOf<G extends Groups, A extends string, K extends string>(
  request: { readonly children: G },
  apiVersion: A,
  kind: K & In<G, A, K>,
): KindIn<G, A, K>[];
export function childrenOf({ children }: { readonly children: Groups }, apiVersion: string, kind: string) {
  return sorted(children, apiVersion, kind);
}

/** The same of a decorator's attachments. */
export function attachmentsOf<Attachment extends ObjectOfKind = never>(
  request: { readonly attachments: Groups },
  apiVersion: Attachment['apiVersion'],
  kind: Attachment['kind'],
): Attachment[];
export function attachmentsOf<G extends Groups, A extends string, K extends string>(
  request: { readonly attachments: G },
  apiVersion: A,
  kind: K & In<G, A, K>,
): KindIn<G, A, K>[];
export function attachmentsOf({ attachments }: { readonly attachments: Groups }, apiVersion: string, kind: string) {
  return sorted(attachments, apiVersion, kind);
}

/** The same of what was made of an input. */
export function outputsOf<Output extends ObjectOfKind = never>(
  request: { readonly outputs: Groups },
  apiVersion: Output['apiVersion'],
  kind: Output['kind'],
): Output[];
export function outputsOf<G extends Groups, A extends string, K extends string>(
  request: { readonly outputs: G },
  apiVersion: A,
  kind: K & In<G, A, K>,
): KindIn<G, A, K>[];
export function outputsOf({ outputs }: { readonly outputs: Groups }, apiVersion: string, kind: string) {
  return sorted(outputs, apiVersion, kind);
}

/** The same of what customize asked for. */
export function relatedOf<Related extends ObjectOfKind = never>(
  request: { readonly related: Groups },
  apiVersion: Related['apiVersion'],
  kind: Related['kind'],
): Related[];
export function relatedOf<G extends Groups, A extends string, K extends string>(
  request: { readonly related: G },
  apiVersion: A,
  kind: K & In<G, A, K>,
): KindIn<G, A, K>[];
export function relatedOf({ related }: { readonly related: Groups }, apiVersion: string, kind: string) {
  return sorted(related, apiVersion, kind);
}

/** The owner that controls the object, if one does. */
export function ownerOf(object: ObjectOfKind): OwnerReference | undefined {
  return controllerOf(object);
}

function sorted(groups: Groups, apiVersion: string, kind: string): ObjectOfKind[] {
  const objects = Object.values(groups[`${kind}.${apiVersion}`] ?? {});
  return objects.sort((a, b) => byNumbers(a.metadata.name ?? '', b.metadata.name ?? ''));
}

/** By runs of digits as numbers; independent of the locale. */
function byNumbers(a: string, b: string): number {
  const pad = (name: string): string => name.replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'));
  return pad(a) < pad(b) ? -1 : 1;
}
