// Live reads. Lists come in pages of 500: a page is the largest piece of JSON that ever blocks the event loop.

import { isJsonArray, isJsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ResourceType } from '../../model/resource.ts';
import { ConnectionError, isApiError } from '../../ports/errors.ts';
import type { ListOptions, ObjectList, Reader } from '../../ports/read.ts';
import { type Caller, nameOf } from './caller.ts';
import { itemOf, objectOf } from './objects.ts';
import { collectionPath, objectPath } from './paths.ts';

export const PAGE_SIZE = 500;
/** A list whose continue token expires is begun again this often in pages, then fetched in one piece. */
const PAGED_ATTEMPTS = 2;

export function createReader(caller: Caller, pageSize: number = PAGE_SIZE): Reader {
  return {
    async get(type: ResourceType, name: string, namespace?: string): Promise<KubeObject | undefined> {
      const call = { method: 'GET', path: objectPath(type, { name, namespace }) } as const;
      try {
        return objectOf(await caller.json(call), nameOf(call));
      } catch (error) {
        if (isApiError(error, 404)) return undefined;
        throw error;
      }
    },
    async list(type: ResourceType, options: ListOptions = {}): Promise<ObjectList> {
      for (let attempt = 0; ; attempt++) {
        const paged = attempt < PAGED_ATTEMPTS;
        try {
          return await listOnce(caller, type, { ...options, ...(paged ? { limit: pageSize } : {}) });
        } catch (error) {
          if (!paged || !isApiError(error, 410)) throw error;
        }
      }
    },
  };
}

type PageOptions = ListOptions & { readonly limit?: number };

async function listOnce(caller: Caller, type: ResourceType, options: PageOptions): Promise<ObjectList> {
  const items: KubeObject[] = [];
  let resourceVersion: string | undefined;
  let token: string | undefined;
  do {
    const page = await listPage(caller, type, { ...options, token });
    for (const item of page.items) items.push(item);
    // All pages of one list are of the same resourceVersion.
    resourceVersion ??= page.resourceVersion;
    token = page.token;
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
