import type { KubeObject } from '../model/object.ts';
import type { Answering, ObjectOfKind } from './shapes.ts';

/** What customize of every kind of controller gets. A decorator's object is called `parent` here too. */
export interface CustomizeRequest<Parent extends ObjectOfKind = KubeObject> {
  readonly controller: KubeObject;
  readonly parent: Parent;
}

export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** Objects of one resource: by name, or by labels of theirs or of their namespaces; without either, all. */
export interface RelatedRule {
  readonly apiVersion: string;
  /** Plural, lower case. */
  readonly resource: string;
  readonly namespace?: string;
  readonly names?: readonly string[];
  readonly labelSelector?: Selector;
  readonly namespaceSelector?: Selector;
}

export interface CustomizeResponse {
  readonly relatedResources?: readonly RelatedRule[] | null;
}

export type CustomizeHook<Parent extends ObjectOfKind = KubeObject> = Answering<
  CustomizeRequest<Parent>,
  CustomizeResponse
>;
