// The kinds that are applied, with what the server says of their fields; what is not known yet is noted as a need.

import type { Answers, Need } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import type { KindType } from '../../schema/index.ts';
import { kindTypeOf } from './kind-type.ts';

export interface KnownKind {
  readonly type: ResourceType;
  readonly kind: KindType;
  readonly hasStatus: boolean;
  /** The server said so. Else everything is deduced from the values, and what is found out by that is a guess. */
  readonly isTold: boolean;
}

export class KnownKinds {
  readonly needs = new Map<string, Need>();
  readonly #types: readonly ResourceType[];
  readonly #answers: Answers;

  constructor(types: readonly ResourceType[], answers: Answers) {
    this.#types = types;
    this.#answers = answers;
  }

  typeOf(object: KubeObject): ResourceType | undefined {
    return this.#types.find((type) => type.kind === object.kind && apiVersionOf(type) === object.apiVersion);
  }

  /** undefined: the schema has to be asked for first. */
  of(object: KubeObject): KnownKind | undefined {
    const type = this.typeOf(object);
    if (!type) return undefined;
    const id = `schema-${apiVersionOf(type)}/${type.kind}`;
    const answer = this.#answers.get(id);
    if (answer?.kind === 'schema') {
      const { schema } = answer;
      const hasStatus = type.subresources.includes('status');
      return { type, kind: kindTypeOf(schema), hasStatus, isTold: schema !== undefined };
    }
    this.needs.set(id, { kind: 'schema', id, type });
    return undefined;
  }
}
