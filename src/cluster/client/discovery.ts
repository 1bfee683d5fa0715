// What the server serves, read once and kept until refresh(). Concurrent first questions share one reading; a failed
// reading is not kept.

import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import type { Discovery } from '../../ports/discovery.ts';
import { ApiError, isApiError } from '../../ports/errors.ts';
import type { Caller } from './caller.ts';
import { groupVersionsOf, resourcesOfAggregated, resourcesOfLegacy } from './discovery-documents.ts';
import { groupVersionPath } from './paths.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
const ACCEPT = `${AGGREGATED};v=v2,${AGGREGATED};v=v2beta1,application/json`;

interface Found {
  readonly types: readonly ResourceType[];
  /** Group versions that are announced but can't be read now (an extension server that is down), with the reason. */
  readonly failed: ReadonlyMap<string, ApiError>;
}

export function createDiscovery(caller: Caller): Discovery {
  let kept: Promise<Found> | undefined;
  const found = (): Promise<Found> => {
    if (kept !== undefined) return kept;
    const reading = readAll(caller).catch((error: unknown) => {
      if (kept === reading) kept = undefined;
      throw error;
    });
    kept = reading;
    return reading;
  };
  const find = async (
    apiVersion: string,
    matches: (type: ResourceType) => boolean,
  ): Promise<ResourceType | undefined> => {
    const { types, failed } = await found();
    const type = types.find((candidate) => apiVersionOf(candidate) === apiVersion && matches(candidate));
    const failure = failed.get(apiVersion);
    // "Can't be read now" must not pass for "not served".
    if (type === undefined && failure !== undefined) throw failure;
    return type;
  };
  return {
    byResource: (apiVersion, resource) => find(apiVersion, (type) => type.resource === resource),
    byKind: (apiVersion, kind) => find(apiVersion, (type) => type.kind === kind),
    all: async () => (await found()).types,
    refresh: () => {
      kept = undefined;
    },
  };
}

async function readAll(caller: Caller): Promise<Found> {
  const [core, named] = await Promise.all([readRoot(caller, '/api'), readRoot(caller, '/apis')]);
  return { types: [...core.types, ...named.types], failed: new Map([...core.failed, ...named.failed]) };
}

async function readRoot(caller: Caller, path: '/api' | '/apis'): Promise<Found> {
  const document = await caller.json({ method: 'GET', path, accept: ACCEPT });
  if (document['kind'] === 'APIGroupDiscoveryList')
    return { types: resourcesOfAggregated(document), failed: new Map() };
  const parts = await Promise.all(groupVersionsOf(document).map((at) => readGroupVersion(caller, at)));
  return {
    types: parts.flatMap((part) => part.types),
    failed: new Map(parts.flatMap((part) => [...part.failed])),
  };
}

async function readGroupVersion(caller: Caller, at: { group: string; version: string }): Promise<Found> {
  try {
    const document = await caller.json({ method: 'GET', path: groupVersionPath(at) });
    return { types: resourcesOfLegacy(document, at), failed: new Map() };
  } catch (error) {
    // Gone between the two readings: not served. Refused credentials are everybody's problem, not this group's.
    if (isApiError(error, 404)) return { types: [], failed: new Map() };
    if (!(error instanceof ApiError) || isApiError(error, 401)) throw error;
    return { types: [], failed: new Map([[apiVersionOf(at), error]]) };
  }
}
