import type { KubeObject } from './object.ts';

/** Names one object. The UID is there where one particular incarnation is meant. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

export function refOf(object: KubeObject): Ref {
  const { namespace, name, uid } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(namespace ? { namespace } : {}),
    name: name ?? '',
    ...(uid ? { uid } : {}),
  };
}

/** A map key: equal for two refs of one object whatever their version or UID. */
export function refKey({ apiVersion, kind, namespace, name }: Ref): string {
  return `${kind}.${groupIn(apiVersion)}/${namespace ?? ''}/${name}`;
}

/** `refKey` of the object's ref. */
export function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${kind}.${groupIn(apiVersion)}/${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function groupIn(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** For people: "Pod default/web-0", "Namespace prod". */
export function formatRef(ref: Ref): string {
  return `${ref.kind} ${ref.namespace ? `${ref.namespace}/` : ''}${ref.name}`;
}
