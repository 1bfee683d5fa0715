// Reader and Writer over a map, with the preconditions that apply relies on. It can be told to fail, and to let somebody
// else write just before a request. For the server's real behaviour there is the sandbox; this is for the executor alone.

import { jsonEqual } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import { refKey, refOf } from '../model/ref.ts';
import type { ResourceType } from '../model/resource.ts';
import { ApiError } from '../ports/errors.ts';
import type { Reader } from '../ports/read.ts';
import type { WriteRequest, Writer } from '../ports/write.ts';

export class FakeStore implements Reader, Writer {
  readonly objects = new Map<string, KubeObject>();
  readonly writes: WriteRequest[] = [];
  /** Called before each write; may throw, or change `objects`. */
  onWrite: (request: WriteRequest) => void = () => undefined;
  #version = 100;

  put(object: KubeObject): KubeObject {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.objects.set(refKey(refOf(object)), stored);
    return stored;
  }

  async get(type: ResourceType, name: string, namespace?: string): Promise<KubeObject | undefined> {
    const ref = { apiVersion: type.group ? `${type.group}/${type.version}` : type.version, kind: type.kind, name };
    return this.objects.get(refKey(namespace === undefined ? ref : { ...ref, namespace }));
  }

  async list(): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    return { items: [...this.objects.values()], resourceVersion: String(this.#version) };
  }

  async write(request: WriteRequest): Promise<KubeObject | undefined> {
    this.writes.push(request);
    this.onWrite(request);
    if (request.verb === 'patch') throw new Error('FakeStore knows no patches');
    if (request.verb === 'delete') return this.#delete(request);
    const current = this.objects.get(refKey(refOf(request.object)));
    if (request.verb === 'create')
      return current ? fail(409, 'AlreadyExists', 'already exists') : this.#create(request.object);
    if (!current) return fail(404, 'NotFound', 'not found');
    this.#check(current, request.object.metadata);
    return jsonEqual(current, request.object) ? current : this.put(request.object);
  }

  #create(object: KubeObject): KubeObject {
    return this.put({
      ...object,
      metadata: { ...object.metadata, uid: `${object.metadata.name}-uid-${this.#version}` },
    });
  }

  #delete(request: Extract<WriteRequest, { verb: 'delete' }>): undefined {
    const { apiVersion, kind } = { apiVersion: request.type.version, kind: request.type.kind };
    const group = request.type.group === '' ? apiVersion : `${request.type.group}/${apiVersion}`;
    const key = refKey({ apiVersion: group, kind, name: request.name, namespace: request.namespace ?? '' });
    const current = this.objects.get(key);
    if (!current) return fail(404, 'NotFound', 'not found');
    this.#check(current, request);
    this.objects.delete(key);
    return undefined;
  }

  #check(current: KubeObject, wanted: { readonly uid?: string; readonly resourceVersion?: string }): void {
    if (wanted.uid !== undefined && wanted.uid !== current.metadata.uid) fail(409, 'Conflict', 'the UID differs');
    if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== current.metadata.resourceVersion)
      fail(409, 'Conflict', 'the object has been modified');
  }
}

export function fail(code: number, reason: string, message: string): never {
  throw new ApiError({ code, reason, message }, 'WRITE /fake');
}
