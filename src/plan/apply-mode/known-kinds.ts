// The kinds that are applied, with what the server says of their fields; what is not known yet is noted as a need.

import type { Answers, Need } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import { deducedKind, type KindType } from '../../schema/index.ts';
import { kindTypeOf } from './kind-type.ts';

export interface KnownKind {
  readonly type: ResourceType;
  readonly kind: KindType;
  readonly hasStatus: boolean;
  /** The server said so. Else everything is deduced from the values, and what is found out by that is a guess. */
  readonly isTold: boolean;
}

interface KnownKindsOptions {
  readonly types: readonly ResourceType[];
  readonly answers: Answers;
  /** The server's schema is not the one that will count. */
  readonly isInFlux?: (type: ResourceType) => boolean;
}

export class KnownKinds {
  readonly needs = new Map<string, Need>();
  readonly #options: KnownKindsOptions;

  constructor(options: KnownKindsOptions) {
    this.#options = options;
  }

  typeOf(object: KubeObject): ResourceType | undefined {
    return this.#options.types.find((type) => type.kind === object.kind && apiVersionOf(type) === object.apiVersion);
  }

  /** undefined: the schema has to be asked for first. */
  of(object: KubeObject): KnownKind | undefined {
    const type = this.typeOf(object);
    if (!type) return undefined;
    const hasStatus = type.subresources.includes('status');
    if (this.#options.isInFlux?.(type)) return { type, kind: deducedKind, hasStatus, isTold: false };
    const id = `schema-${apiVersionOf(type)}/${type.kind}`;
    const answer = this.#options.answers.get(id);
    if (answer?.kind === 'schema') {
      const { schema } = answer;
      return { type, kind: kindTypeOf(schema), hasStatus, isTold: schema !== undefined };
    }
    this.needs.set(id, { kind: 'schema', id, type });
    return undefined;
  }
}
