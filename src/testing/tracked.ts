// Objects of built-in kinds with managedFields as their server would have made them, by a history of writes; and that server
// as far as a planner in mode server-side asks it: schemas, and dry runs, which are kept.

import { type JsonObject, jsonEqual } from '../kit/json.ts';
import { type ApplyAnswer, applyPatch, type Endpoint, setOfPaths, trackUpdate } from '../merge/index.ts';
import type { Answer, DryRunAnswer, DryRunNeed, Need } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { apiVersionOf, type KindSchema, type ResourceType } from '../model/resource.ts';
import { type KindType, type MergeSchema, mergeSchemaFromComponents } from '../schema/index.ts';

const TIME = '2026-01-01T00:00:00Z';

/** What is known of kinds: the component schemas of their server, and which of them is a kind's own. */
class Kinds {
  readonly #components: JsonObject;
  readonly #nameOf: NameOf;
  readonly #schema: MergeSchema;

  constructor(components: JsonObject, nameOf: NameOf) {
    this.#components = components;
    this.#nameOf = nameOf;
    this.#schema = mergeSchemaFromComponents((name) => components[name] as JsonObject | undefined);
  }

  schemaOf(type: ResourceType): KindSchema {
    return { components: this.#components, name: this.#nameOf(type) ?? '' };
  }

  endpointOf(type: ResourceType): Endpoint {
    const named = this.#nameOf(type);
    return endpointOf(type, { schema: this.#schema, type: named === undefined ? {} : { named } });
  }
}

type NameOf = (kind: Pick<ResourceType, 'group' | 'version' | 'kind'>) => string | undefined;

function endpointOf(type: ResourceType, kind: KindType): Endpoint {
  const apiVersion = apiVersionOf(type);
  return {
    apiVersion,
    kind: type.kind,
    at: (value, version) => (version === apiVersion ? { ...kind, apiVersion, value } : undefined),
    ...(type.subresources.includes('status') ? { reset: new Map([[apiVersion, setOfPaths([['f:status']])]]) } : {}),
    empty: { apiVersion, kind: type.kind, metadata: {} },
  };
}

/** A history: each call gives a new one. */
export class Tracked {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly #endpoint: Endpoint;

  constructor(type: ResourceType, object: KubeObject, endpoint: Endpoint) {
    this.type = type;
    this.object = object;
    this.#endpoint = endpoint;
  }

  updated(change: (object: KubeObject) => KubeObject, manager: string): Tracked {
    const { type, object: live } = this;
    const tracked = trackUpdate({ live, object: change(live), manager, time: TIME }, this.#endpoint);
    return new Tracked(type, tracked as KubeObject, this.#endpoint);
  }

  /** Throws where it is a conflict. */
  applied(config: KubeObject, manager: string, force = false): Tracked {
    const answer = tryApply(this.#endpoint, this.object, { config, manager, force });
    return new Tracked(this.type, unconflicted(answer), this.#endpoint);
  }
}

export interface Tracking {
  created(type: ResourceType, object: KubeObject, manager: string): Tracked;
  applied(type: ResourceType, config: KubeObject, manager: string): Tracked;
  fakeServer(options?: FakeServerOptions): FakeServer;
}

export function trackedIn(components: JsonObject, nameOf: NameOf): Tracking {
  const kinds = new Kinds(components, nameOf);
  return {
    created(type, object, manager) {
      const endpoint = kinds.endpointOf(type);
      const made = trackUpdate({ live: undefined, object, manager, time: TIME }, endpoint);
      return new Tracked(type, made as KubeObject, endpoint);
    },
    applied(type, config, manager) {
      const endpoint = kinds.endpointOf(type);
      return new Tracked(type, unconflicted(tryApply(endpoint, undefined, { config, manager })), endpoint);
    },
    fakeServer: (options = {}) => fakeServer(kinds, options),
  };
}

interface Config {
  readonly config: KubeObject;
  readonly manager: string;
  readonly force?: boolean;
}

function tryApply(endpoint: Endpoint, live: KubeObject | undefined, { config, manager, force = false }: Config) {
  return applyPatch({ live, config, manager, force, time: TIME }, endpoint);
}

function unconflicted(answer: ApplyAnswer): KubeObject {
  if (answer.kind !== 'applied') throw new Error(JSON.stringify(answer));
  return answer.object as KubeObject;
}

/** "metactl Apply: data.x metadata.labels.app", in the order of managedFields. */
export function ownersOf(object: KubeObject): string[] {
  return (object.metadata.managedFields ?? []).map(
    ({ manager, operation, fieldsV1 }) => `${manager} ${operation}: ${pathsIn(fieldsV1 ?? {}).join(' ')}`,
  );
}

function pathsIn(fields: JsonObject, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([key, below]) => {
    if (key === '.') return [];
    const path = key.startsWith('f:') ? `${prefix}${key.slice(2)}` : `${prefix.slice(0, -1)}[${key.slice(2)}]`;
    const inner = pathsIn(below as JsonObject, `${path}.`);
    return inner.length > 0 ? inner : [path];
  });
}

export interface FakeServer {
  readonly dryRuns: readonly DryRunNeed[];
  answer(need: Need): Answer;
}

export interface FakeServerOptions {
  /** It has schemas; true unless given. */
  readonly known?: boolean;
  /** Another answer to a dry run than the library's. */
  readonly says?: (need: DryRunNeed) => DryRunAnswer | undefined;
}

function fakeServer(kinds: Kinds, { known = true, says }: FakeServerOptions): FakeServer {
  const dryRuns: DryRunNeed[] = [];
  return {
    dryRuns,
    answer(need) {
      const { id } = need;
      if (need.kind === 'schema') return { kind: 'schema', id, schema: known ? kinds.schemaOf(need.type) : undefined };
      if (need.kind !== 'dry-run') throw new Error(`nobody expected a need of kind ${need.kind}`);
      dryRuns.push(need);
      return says?.(need) ?? tried(need, kinds.endpointOf(need.type));
    },
  };
}

function tried({ id, object, observed, fieldManager, force }: DryRunNeed, endpoint: Endpoint): DryRunAnswer {
  const { uid: _uid, ...metadata } = object.metadata;
  const config = { ...object, metadata };
  const answer = tryApply(endpoint, observed, { config, manager: fieldManager, force });
  if (answer.kind === 'conflicts') {
    const conflicts = answer.causes.map(({ field, message }) => ({
      field: field.slice(1),
      manager: /"(.*)"/.exec(message)?.[1] ?? '',
    }));
    return { kind: 'dry-run', id, outcome: 'conflicts', conflicts };
  }
  const after = unconflicted(answer);
  if (jsonEqual(after, observed)) return { kind: 'dry-run', id, outcome: 'unchanged' };
  return { kind: 'dry-run', id, outcome: 'applied', object: after };
}
