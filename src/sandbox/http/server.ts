// A request → an answer: routing, errors as Status bodies, and the work that a write sets off (see settle).

import { handleAction } from '../actions/index.ts';
import type { Core } from '../core.ts';
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from '../discovery/documents.ts';
import { openApiDocument, openApiIndex } from '../discovery/open-api.ts';
import { VERSION } from '../discovery/version.ts';
import { type Answer, errorAnswer, jsonAnswer, PAGE_NOT_FOUND, textAnswer } from './answer.ts';
import { negotiate, parseAccept } from './negotiate.ts';
import { type HandledRequest, type HandlerOptions, handleResource } from './resource-handler.ts';
import { type Route, routeOf } from './route.ts';
import { internal, methodNotAllowed, StatusError, unknownResource } from './status-error.ts';

export interface ServerOptions extends HandlerOptions {
  /** Collects garbage, empties namespaces, moves workloads, until there is nothing left to do. */
  readonly settle: () => void;
}

export function serve(options: ServerOptions, path: string, request: HandledRequest): Answer {
  try {
    const route = routeOf(options.core.registry, path);
    if (route.type !== 'resource') return documentAnswer(options.core, route, request);
    const answer = handleAction(options.core, route, request) ?? handleResource(options, route, request);
    if (request.method !== 'GET') options.settle();
    return answer;
  } catch (error) {
    if (error instanceof StatusError) return errorAnswer(error);
    // The journal could not be written, or a defect here: the client learns of it as of any server's failure.
    return errorAnswer(internal(`sandbox: ${error instanceof Error ? error.message : String(error)}`));
  }
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function wantsAggregated(header: string | undefined): boolean {
  for (const { type, parameters } of parseAccept(header ?? '')) {
    if (type !== 'application/json' && type !== '*/*') continue;
    if (!parameters.has('as')) return false;
    const { g, v, as } = Object.fromEntries(parameters);
    if (g === 'apidiscovery.k8s.io' && v === 'v2' && as === 'APIGroupDiscoveryList') return true;
  }
  return false;
}

function documentAnswer(core: Core, route: Exclude<Route, { type: 'resource' }>, request: HandledRequest): Answer {
  const { registry } = core;
  if (route.type === 'nothing') {
    if (route.status) throw unknownResource();
    return textAnswer(404, PAGE_NOT_FOUND);
  }
  if (request.method !== 'GET') throw methodNotAllowed();
  const accept = request.headers['accept'];
  switch (route.type) {
    case 'page':
      return pageAnswer(route.name);
    case 'openapi': {
      const { describe = (schemas) => schemas } = request;
      const document = route.path === '' ? openApiIndex(registry) : openApiDocument(registry, route.path, describe);
      return document ? jsonAnswer(200, document) : textAnswer(404, PAGE_NOT_FOUND);
    }
    case 'groups':
      if (wantsAggregated(accept)) {
        const body = aggregatedDiscovery(registry, route.core);
        return { ...jsonAnswer(200, body), headers: { 'content-type': AGGREGATED, vary: 'Accept' } };
      }
      negotiate(accept);
      return jsonAnswer(200, route.core ? coreVersions() : groupList(registry));
    case 'group':
      return jsonAnswer(200, groupDocument(registry, route.group));
    case 'version':
      return jsonAnswer(200, resourceList(registry, route.group, route.version));
  }
}

function pageAnswer(name: string): Answer {
  if (name === 'version') return jsonAnswer(200, VERSION);
  if (name !== '') return textAnswer(200, 'ok');
  return jsonAnswer(200, { paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/readyz', '/version'] });
}
