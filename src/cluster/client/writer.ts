// Writes and their dry runs. fieldValidation=Warn: a field that the server does not know is a warning (onWarning), as
// the server decides what it drops; definitions are checked before anything is sent.

import type { JsonObject, MutableJsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Predictor } from '../../ports/predict.ts';
import type { WriteRequest, Writer } from '../../ports/write.ts';
import { isGone } from '../deletion.ts';
import { type Call, type Caller, nameOf } from './caller.ts';
import { objectOf } from './objects.ts';
import { objectPath, writeCollectionPath } from './paths.ts';

export function createWriter(caller: Caller): Writer {
  return {
    async write(request: WriteRequest): Promise<KubeObject | undefined> {
      const call = callOf(request);
      const answer = await caller.json(call);
      return request.verb === 'delete' ? remainsOf(answer, call) : objectOf(answer, nameOf(call));
    },
  };
}

export function createPredictor(caller: Caller): Predictor {
  return {
    async predict(request): Promise<KubeObject> {
      const call = callOf(request);
      return objectOf(await caller.json({ ...call, query: { ...call.query, dryRun: 'All' } }), nameOf(call));
    },
  };
}

function callOf(request: WriteRequest): Call {
  const { type } = request;
  const query = { fieldManager: request.fieldManager, fieldValidation: 'Warn' };
  switch (request.verb) {
    case 'create': {
      const path = writeCollectionPath(type, request.object.metadata.namespace);
      return { method: 'POST', path, query, body: request.object };
    }
    case 'update': {
      const { name = '', namespace } = request.object.metadata;
      const path = objectPath(type, { name, namespace, subresource: request.subresource });
      return { method: 'PUT', path, query, body: request.object };
    }
    case 'patch':
      return {
        method: 'PATCH',
        path: objectPath(type, request),
        query: { ...query, ...(request.force === undefined ? {} : { force: request.force }) },
        contentType: request.contentType,
        body: request.patch,
      };
    case 'delete':
      return { method: 'DELETE', path: objectPath(type, request), body: deleteOptionsOf(request) };
  }
}

function deleteOptionsOf(request: Extract<WriteRequest, { verb: 'delete' }>): JsonObject {
  const { uid, resourceVersion, propagation } = request;
  const preconditions: MutableJsonObject = {};
  if (uid !== undefined) preconditions['uid'] = uid;
  if (resourceVersion !== undefined) preconditions['resourceVersion'] = resourceVersion;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(Object.keys(preconditions).length > 0 ? { preconditions } : {}),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
  };
}

/** What a delete leaves: a Status or the object's last state means nothing, an object that is on its way out itself. */
function remainsOf(answer: JsonObject, call: Call): KubeObject | undefined {
  if (answer['kind'] === 'Status') return undefined;
  const object = objectOf(answer, nameOf(call));
  return object.metadata.deletionTimestamp === undefined || isGone(object) ? undefined : object;
}
