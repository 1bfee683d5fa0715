// A request about a resource → its answer. Everything here is synchronous: a write is complete when its answer exists.

import { isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { ApiRequest } from '../../ports/transport.ts';
import type { Core } from '../core.ts';
import type { Describe } from '../discovery/open-api.ts';
import { managerOf } from '../managed/tracked.ts';
import { type ScalePaths, versionOf } from '../registry/resource-kind.ts';
import { returnsDeleted } from '../registry/traits.ts';
import type { Stored } from '../store/stored.ts';
import { applyObject } from '../verbs/apply.ts';
import { createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { checkReadVersion, listObjects } from '../verbs/list.ts';
import { APPLY_PATCH, patchObject } from '../verbs/patch.ts';
import { checkReplicas, scaleOf } from '../verbs/scale.ts';
import { writeScale } from '../verbs/scale-write.ts';
import { type ObjectTarget, type Target, targetKey } from '../verbs/target.ts';
import { type UpdateResult, updateObject } from '../verbs/update.ts';
import { Watch } from '../verbs/watch.ts';
import { type Answer, errorAnswer, jsonAnswer, PAGE_NOT_FOUND, textAnswer } from './answer.ts';
import { mediaType, type RequestBody } from './body.ts';
import { decodeObject, parseBody } from './decode.ts';
import { parseJsonText } from './json-text.ts';
import { LineStream } from './line-stream.ts';
import { type Accepted, negotiate } from './negotiate.ts';
import { includeObjectOption, type PrintContext, printList, printObject } from './print.ts';
import {
  checkPatchOptions,
  deleteOptions,
  type FieldValidation,
  listOptions,
  type Query,
  writeOptions,
} from './query.ts';
import type { ResourceRoute } from './route.ts';
import { badRequest, methodNotAllowed, notFound, StatusError, unknownResource } from './status-error.ts';

export interface HandledRequest extends RequestBody {
  readonly method: ApiRequest['method'];
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  /** For OpenAPI documents: loaded only when one is asked for. */
  readonly describe?: Describe;
}

export interface HandlerOptions {
  readonly core: Core;
  /** Told of each watch, so that it can be ended from outside. */
  readonly onWatch: (watch: Watch, stream: LineStream) => void;
}

export function handleResource(options: HandlerOptions, route: ResourceRoute, request: HandledRequest): Answer {
  const { kind, version, namespace, name } = route;
  const target: Target = { kind, version, ...(namespace === undefined ? {} : { namespace }) };
  const deprecation = versionOf(kind, version)?.deprecation;
  const warnings = deprecation === undefined ? [] : [deprecation];
  try {
    return withWarnings(handle(new ResourceHandler(options, target, request, warnings), route), warnings);
  } catch (error) {
    if (error instanceof StatusError) return withWarnings(errorAnswer(error), warnings);
    throw error;
  }

  function handle(handler: ResourceHandler, { subresource }: ResourceRoute): Answer {
    if (name === undefined) return handler.collection();
    const object: ObjectTarget = { ...target, name };
    if (subresource === undefined) return handler.object(object);
    if (subresource === 'status') return handler.status(object);
    if (subresource === 'finalize') return handler.finalize(object);
    return subresource === 'scale' ? handler.scale(object) : handler.noSubresource(object);
  }
}

/** Each text once, as the server sends them. */
function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  const warning = [...new Set(warnings)].map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  return { ...answer, headers: { ...answer.headers, warning } };
}

class ResourceHandler {
  readonly #core: Core;
  readonly #options: HandlerOptions;
  readonly #target: Target;
  readonly #request: HandledRequest;
  readonly #accepted: Accepted;
  /** For the Warning header. */
  readonly #warnings: string[];

  constructor(options: HandlerOptions, target: Target, request: HandledRequest, warnings: string[]) {
    this.#warnings = warnings;
    this.#options = options;
    this.#core = options.core;
    this.#target = target;
    this.#request = request;
    this.#accepted = negotiate(request.headers['accept']);
  }

  collection(): Answer {
    switch (this.#request.method) {
      case 'GET':
        return this.#listOrWatch();
      case 'POST':
        return this.#create();
      case 'DELETE':
        return this.#deleteCollection();
      default:
        throw methodNotAllowed();
    }
  }

  object(target: ObjectTarget): Answer {
    switch (this.#request.method) {
      case 'GET':
        return this.#get(target);
      case 'PUT':
        return this.#written(this.#put(target));
      case 'PATCH':
        return this.#written(this.#patch(target));
      case 'DELETE':
        return this.#delete(target);
      default:
        throw methodNotAllowed();
    }
  }

  status(target: ObjectTarget): Answer {
    if (!versionOf(target.kind, target.version)?.status) return this.noSubresource(target);
    switch (this.#request.method) {
      case 'GET':
        return this.#get(target);
      case 'PUT':
        return this.#written(this.#put(target, 'status'));
      case 'PATCH':
        return this.#written(this.#patch(target, 'status'));
      default:
        throw methodNotAllowed();
    }
  }

  finalize(target: ObjectTarget): Answer {
    if (!versionOf(target.kind, target.version)?.finalize) return this.noSubresource(target);
    if (this.#request.method !== 'PUT') throw methodNotAllowed();
    return this.#written(this.#put(target, 'finalize'));
  }

  /** A subresource that the kind does not have: custom resources are refused by name, built-ins as an unknown path. */
  noSubresource(target: ObjectTarget): Answer {
    throw target.kind.custom ? notFound(target.kind, target.name) : unknownResource();
  }

  scale(target: ObjectTarget): Answer {
    const paths = versionOf(target.kind, target.version)?.scale;
    if (!paths) return this.noSubresource(target);
    const current = this.#find(target);
    const { method } = this.#request;
    if (method === 'GET') {
      checkReplicas(current.object, paths);
      return jsonAnswer(200, scaleOf(current.object, paths));
    }
    if (method !== 'PUT' && method !== 'PATCH') throw methodNotAllowed();
    return jsonAnswer(200, scaleOf(this.#writeScale(target, paths).stored.object, paths));
  }

  #writeScale(target: ObjectTarget, paths: ScalePaths): UpdateResult {
    const { query, headers, method, text = '' } = this.#request;
    const patchType = method === 'PATCH' ? mediaType(headers['content-type']) : undefined;
    if (patchType !== undefined) checkPatchOptions(query, patchType === APPLY_PATCH);
    const { dryRun, fieldManager } = writeOptions(query, method === 'PUT' ? 'UpdateOptions' : 'PatchOptions');
    const force = query.get('force') === 'true';
    return writeScale(this.#core, target, {
      paths,
      text,
      patchType,
      force,
      dryRun,
      manager: this.#manager(fieldManager),
    });
  }

  #find(target: ObjectTarget): Stored {
    const stored = this.#core.store.collection(target.kind).get(targetKey(target));
    if (!stored) throw notFound(target.kind, target.name);
    return stored;
  }

  #context(): PrintContext {
    const { query } = this.#request;
    const now = this.#core.clock.now();
    return { target: this.#target, accepted: this.#accepted, includeObject: includeObjectOption(query), now };
  }

  #answer(status: number, stored: Stored): Answer {
    return jsonAnswer(status, printObject(stored, this.#context()));
  }

  /** The object in the request. */
  #body(validation: FieldValidation): KubeObject {
    const { text, problems = [] } = this.#request;
    const fields = { validation, warnings: this.#warnings, problems };
    return decodeObject({ ...this.#target, fields }, parseBody(this.#target, text), text);
  }

  #get(target: ObjectTarget): Answer {
    const asked = this.#request.query.get('resourceVersion');
    if (asked) checkReadVersion(this.#core, asked);
    return this.#answer(200, this.#find(target));
  }

  #listOrWatch(): Answer {
    const options = listOptions(this.#request.query);
    if (!options.watch)
      return jsonAnswer(200, printList(listObjects(this.#core, this.#target, options), this.#context()));
    const stream = new LineStream();
    const context = this.#context();
    const print = (stored: Stored, first: boolean): string =>
      printObject(stored, { ...context, now: this.#core.clock.now() }, first);
    const watch = new Watch(this.#core, this.#target, { options, stream, print });
    watch.start();
    this.#options.onWatch(watch, stream);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: stream };
  }

  #create(): Answer {
    const target = this.#target;
    if (target.kind.namespaced && target.namespace === undefined) {
      if (target.kind.custom) return textAnswer(404, PAGE_NOT_FOUND);
      throw methodNotAllowed();
    }
    const { dryRun, fieldManager, fieldValidation } = writeOptions(this.#request.query, 'CreateOptions');
    const object = this.#body(fieldValidation);
    const options = { dryRun, warnings: this.#warnings, manager: this.#manager(fieldManager) };
    return this.#answer(201, createObject(this.#core, target, object, options));
  }

  #put(target: ObjectTarget, subresource?: 'status' | 'finalize'): UpdateResult {
    const { dryRun, fieldManager, fieldValidation } = writeOptions(this.#request.query, 'UpdateOptions');
    const object = this.#body(fieldValidation);
    const given = object.metadata.name ?? '';
    if (given === '') {
      throw badRequest(
        `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
      );
    }
    if (given !== target.name) {
      throw badRequest(`the name of the object (${given}) does not match the name on the URL (${target.name})`);
    }
    const manager = this.#manager(fieldManager);
    const options = { dryRun, manager, replace: true, warnings: this.#warnings, ...(subresource && { subresource }) };
    return updateObject(this.#core, target, () => object, options);
  }

  #patch(target: ObjectTarget, subresource?: 'status'): UpdateResult {
    const { query, headers, text = '' } = this.#request;
    const contentType = mediaType(headers['content-type']);
    checkPatchOptions(query, contentType === APPLY_PATCH);
    const { dryRun, fieldManager, fieldValidation } = writeOptions(query, 'PatchOptions');
    const warnings = this.#warnings;
    const options = {
      text,
      dryRun,
      fields: { validation: fieldValidation, warnings },
      warnings,
      manager: this.#manager(fieldManager),
      ...(subresource && { subresource }),
    };
    if (contentType !== APPLY_PATCH) return patchObject(this.#core, target, { ...options, contentType });
    return applyObject(this.#core, target, { ...options, force: query.get('force') === 'true' });
  }

  #manager(fieldManager: string): string {
    return managerOf(fieldManager, this.#request.headers['user-agent']);
  }

  #written({ stored, created }: UpdateResult): Answer {
    return this.#answer(created ? 201 : 200, stored);
  }

  #delete(target: ObjectTarget): Answer {
    const { kind, name } = target;
    const options = deleteOptions(this.#request.query, this.#optionalBody());
    const { stored, gone } = deleteObject(this.#core, target, options);
    if (!gone || returnsDeleted(kind)) return this.#answer(200, stored);
    const details = {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.resource,
      uid: stored.object.metadata.uid,
    };
    return jsonAnswer(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  #deleteCollection(): Answer {
    const { kind, namespace } = this.#target;
    if (!kind.verbs.includes('deletecollection') || (kind.namespaced && namespace === undefined))
      throw methodNotAllowed();
    const options = deleteOptions(this.#request.query, this.#optionalBody());
    const page = listObjects(this.#core, this.#target, { ...listOptions(this.#request.query), watch: false });
    for (const item of page.items) {
      deleteObject(
        this.#core,
        { ...this.#target, name: item.object.metadata.name ?? '' },
        { ...options, uid: undefined, resourceVersion: undefined },
      );
    }
    return jsonAnswer(200, printList(page, this.#context()));
  }

  #optionalBody(): JsonValue | undefined {
    const { text } = this.#request;
    return text === undefined || text === '' ? undefined : this.#anyBody();
  }

  #anyBody(): JsonObject {
    try {
      const value = parseJsonText(this.#request.text ?? '');
      return isJsonObject(value) ? value : {};
    } catch (error) {
      if (error instanceof SyntaxError)
        throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
      throw error;
    }
  }
}
