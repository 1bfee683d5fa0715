// Live reads. Lists come in pages of 500: a page is the largest piece of JSON that ever blocks the event loop.

import { setImmediate } from 'node:timers/promises';
import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { apiVersionOf, type ResourceType } from '../../model/resource.ts';
import { ApiError, ConnectionError, isApiError } from '../../ports/errors.ts';
import type { ListOptions, ObjectList, Reader } from '../../ports/read.ts';
import { type Caller, nameOf } from './caller.ts';
import { itemOf, objectOf } from './objects.ts';
import { collectionPath, objectPath } from './paths.ts';

export const PAGE_SIZE = 500;
/** A list whose continue token expires is begun again this often in pages, then fetched in one piece. */
const PAGED_ATTEMPTS = 2;

export interface ReaderOptions {
  readonly pageSize?: number | undefined;
  /** The server turned out not to serve a resource (any more): what is known of it is out of date. */
  readonly onNotServed: () => void;
}

export function createReader(caller: Caller, { pageSize = PAGE_SIZE, onNotServed }: ReaderOptions): Reader {
  const notServed = (type: ResourceType, error: ApiError): ApiError => {
    onNotServed();
    const message = `the API server does not serve ${type.resource} of ${apiVersionOf(type)} any more`;
    return new ApiError({ ...error.status, message }, error.request);
  };
  return {
    async get(type: ResourceType, name: string, namespace?: string): Promise<KubeObject | undefined> {
      const call = { method: 'GET', path: objectPath(type, { name, namespace }) } as const;
      try {
        return objectOf(await caller.json(call), nameOf(call));
      } catch (error) {
        if (!isApiError(error, 404)) throw error;
        if (isAbsentObject(error)) return undefined;
        throw notServed(type, error);
      }
    },
    async list(type: ResourceType, options: ListOptions = {}): Promise<ObjectList> {
      for (let attempt = 0; ; attempt++) {
        const paged = attempt < PAGED_ATTEMPTS;
        try {
          return await listOnce(caller, type, { ...options, ...(paged ? { limit: pageSize } : {}) });
        } catch (error) {
          if (isApiError(error, 404) && !isAbsentObject(error)) throw notServed(type, error);
          if (!paged || !isApiError(error, 410)) throw error;
        }
      }
    },
  };
}

/**
 * A missing object is a Status that names it. When the resource itself is gone (its CRD deleted, its extension server
 * unregistered), the server answers with plain text: taking that for "absent" would create or forget objects wrongly.
 */
function isAbsentObject({ status }: ApiError): boolean {
  return status.reason === 'NotFound' && status.details?.name !== undefined;
}

type PageOptions = ListOptions & { readonly limit?: number };

async function listOnce(caller: Caller, type: ResourceType, options: PageOptions): Promise<ObjectList> {
  const items: KubeObject[] = [];
  let resourceVersion: string | undefined;
  let token: string | undefined;
  do {
    const page = await listPage(caller, type, { ...options, token });
    for (const item of page.items)
      if (options.keeps?.(item) ?? true) items.push(options.trim ? options.trim(item) : item);
    // All pages of one list are of the same resourceVersion.
    resourceVersion ??= page.resourceVersion;
    token = page.token;
    // Parsing a page takes milliseconds; what else is due comes in between, also where no network makes us wait.
    if (token !== undefined) await setImmediate();
  } while (token !== undefined);
  return { items, resourceVersion };
}

interface Page extends ObjectList {
  readonly token: string | undefined;
}

async function listPage(
  caller: Caller,
  type: ResourceType,
  options: PageOptions & { readonly token: string | undefined },
): Promise<Page> {
  const { namespace, labelSelector, fieldSelector, limit, token, signal } = options;
  const call = { method: 'GET', path: collectionPath(type, namespace) } as const;
  const body = await caller.json({ ...call, query: { labelSelector, fieldSelector, limit, continue: token }, signal });
  const request = nameOf(call);
  const { items, metadata } = body;
  const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  // Go writes an empty list as null now and then.
  if (!(items === null || isJsonArray(items)) || typeof resourceVersion !== 'string' || !isJsonObject(metadata)) {
    throw new ConnectionError(`the answer to ${request} is not a list with a resourceVersion`, request);
  }
  const next = metadata['continue'];
  return {
    items: (items ?? []).map((item) => itemOf(item, type, request)),
    resourceVersion,
    token: typeof next === 'string' && next !== '' ? next : undefined,
  };
}
