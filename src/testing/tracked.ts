// Objects of built-in kinds with managedFields as their server would have made them, by a history of writes; and that server
// as far as a planner in mode server-side asks it: schemas, and dry runs, which are kept.

import { type JsonObject, jsonEqual } from '../kit/json.ts';
import { type ApplyAnswer, applyPatch, type Endpoint, setOfPaths, trackUpdate } from '../merge/index.ts';
import type { Answer, DryRunAnswer, DryRunNeed, Need } from '../model/need.ts';
import type { KubeObject } from '../model/object.ts';
import { apiVersionOf, type KindSchema, type ResourceType } from '../model/resource.ts';
import { allSchemas, schemaName } from '../sandbox/kube-data/index.ts';
import { type KindType, mergeSchemaFromComponents } from '../schema/index.ts';

const components = allSchemas() as unknown as JsonObject;
const schema = mergeSchemaFromComponents((name) => components[name] as JsonObject | undefined);
const TIME = '2026-01-01T00:00:00Z';

export function schemaOfKind(type: ResourceType): KindSchema {
  return { components, name: schemaName(type) ?? '' };
}

export const kindTypeOfKind = (type: ResourceType): KindType => ({
  schema,
  type: { named: schemaName(type) ?? '' },
});

function endpointOf(type: ResourceType): Endpoint {
  const apiVersion = apiVersionOf(type);
  const kind = kindTypeOfKind(type);
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

  private constructor(type: ResourceType, object: KubeObject) {
    this.type = type;
    this.object = object;
  }

  static created(type: ResourceType, object: KubeObject, manager: string): Tracked {
    const made = trackUpdate({ live: undefined, object, manager, time: TIME }, endpointOf(type));
    return new Tracked(type, made as KubeObject);
  }

  static applied(type: ResourceType, config: KubeObject, manager: string): Tracked {
    return new Tracked(type, unconflicted(tryApply(type, undefined, { config, manager })));
  }

  updated(change: (object: KubeObject) => KubeObject, manager: string): Tracked {
    const { type, object: live } = this;
    const tracked = trackUpdate({ live, object: change(live), manager, time: TIME }, endpointOf(type));
    return new Tracked(type, tracked as KubeObject);
  }

  /** Throws where it is a conflict. */
  applied(config: KubeObject, manager: string, force = false): Tracked {
    return new Tracked(this.type, unconflicted(tryApply(this.type, this.object, { config, manager, force })));
  }
}

interface Config {
  readonly config: KubeObject;
  readonly manager: string;
  readonly force?: boolean;
}

function tryApply(type: ResourceType, live: KubeObject | undefined, { config, manager, force = false }: Config) {
  return applyPatch({ live, config, manager, force, time: TIME }, endpointOf(type));
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

/** `known`: it has schemas. `says`: another answer to a dry run than the library's. */
export function fakeServer(
  options: { readonly known?: boolean; readonly says?: (need: DryRunNeed) => DryRunAnswer | undefined } = {},
): FakeServer {
  const dryRuns: DryRunNeed[] = [];
  return {
    dryRuns,
    answer(need) {
      const { id } = need;
      if (need.kind === 'schema')
        return { kind: 'schema', id, schema: options.known === false ? undefined : schemaOfKind(need.type) };
      if (need.kind !== 'dry-run') throw new Error(`nobody expected a need of kind ${need.kind}`);
      dryRuns.push(need);
      return options.says?.(need) ?? tried(need);
    },
  };
}

function tried({ id, type, object, observed, fieldManager, force }: DryRunNeed): DryRunAnswer {
  const { uid: _uid, ...metadata } = object.metadata;
  const config = { ...object, metadata };
  const answer = tryApply(type, observed, { config, manager: fieldManager, force });
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
