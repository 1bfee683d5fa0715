// POST: what the server fills in, checks and refuses when an object is created.

import { formatTime } from '../../kit/clock.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { toStorage } from '../crd/custom.ts';
import { finalizerWarnings } from '../crd/custom-problems.ts';
import { CRD_ID } from '../crd/kind.ts';
import { alreadyExists, badRequest, forbidden, internal, invalidObject } from '../http/status-error.ts';
import { trackedObject } from '../managed/tracked.ts';
import { withMetadata } from '../meta/metadata.ts';
import { metadataProblems } from '../meta/validate.ts';
import { checkNamespace } from '../namespaces/rules.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import { hasGeneration } from '../registry/traits.ts';
import { keyOf } from '../store/store.ts';
import { Stored } from '../store/stored.ts';
import { createProblems, internalForm, prepareCreate } from './strategy.ts';
import type { Target } from './target.ts';

export interface CreateOptions {
  readonly dryRun?: boolean;
  /** For the Warning header; added to. */
  readonly warnings?: string[];
  /** Who is to own the fields; absent: the object says itself. */
  readonly manager?: string;
}

export function createObject(core: Core, target: Target, given: KubeObject, options: CreateOptions = {}): Stored {
  const { kind } = target;
  const { manager } = options;
  const inPlace = internalForm(kind, placeInNamespace(target, given));
  const placed =
    manager === undefined ? inPlace : trackedObject(core, target, { live: undefined, object: inPlace, manager });
  if (target.namespace !== undefined) checkNamespace(core, kind, target.namespace, placed.metadata.name ?? '');
  if (kind.custom) checkNotTerminating(core, kind, placed);
  const object = prepareCreate(core, kind, withSystemFields(core, kind, placed));
  const { warnings = [] } = options;
  const check = { version: target.version, warnings };
  const problems = [...metadataProblems(kind, object), ...createProblems(kind, object, check)];
  if (problems.length > 0) throw invalidObject(kind, object.metadata.name ?? '', problems);
  const { resourceVersion } = given.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '0') {
    throw internal('resourceVersion should not be set on objects to be created');
  }
  const twin = core.store.collection(kind).get(keyOf(object));
  if (twin) throw alreadyExists(kind, twin.object);
  if (kind.custom) warnings.push(...finalizerWarnings(undefined, object));
  return options.dryRun ? new Stored(object, 0) : core.store.put(kind, object);
}

/** The object with the request's namespace; another one in the body is refused. */
export function placeInNamespace(target: Target, object: KubeObject): KubeObject {
  const { namespace } = object.metadata;
  if (namespace === target.namespace) return object;
  if (target.namespace === undefined) return withMetadata(object, { namespace: undefined });
  if (namespace !== undefined) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return withMetadata(object, { namespace: target.namespace });
}

function withSystemFields(core: Core, kind: ResourceKind, object: KubeObject): KubeObject {
  const { name, generateName } = object.metadata;
  const generated = name === undefined && generateName !== undefined;
  return withMetadata(toStorage(kind, object), {
    ...(generated ? { name: `${generateName.slice(0, 58)}${core.random.suffix()}` } : {}),
    uid: core.random.uid(),
    resourceVersion: undefined,
    generation: hasGeneration(kind) ? 1 : object.metadata.generation,
    creationTimestamp: formatTime(core.clock.now()),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
}

function checkNotTerminating(core: Core, kind: ResourceKind, object: KubeObject): void {
  const crd = core.store.collection({ id: CRD_ID }).get(kind.id);
  if (crd?.object.metadata.deletionTimestamp === undefined) return;
  const why = 'create not allowed while custom resource definition is terminating';
  throw forbidden(kind, object.metadata.name ?? '', why);
}
