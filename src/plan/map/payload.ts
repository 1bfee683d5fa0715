// The requests of a map controller's hooks: docs/formats/hook-payload.md. There may be thousands of them for one parent, so
// what they share is digested once, and each object once as long as it stays.

import { digestOf } from '../../kit/hash.ts';
import type { JsonObject } from '../../kit/json.ts';
import type { Hook, MapDefinition } from '../../model/definition.ts';
import type { HookCall } from '../../model/need.ts';
import type { KubeObject } from '../../model/object.ts';
import { refOf } from '../../model/ref.ts';
import type { ChildGroup } from '../../model/view.ts';
import { asShown, callOf, controllerIn, objectsByGroup, stable, steadyPart } from '../consult/payload.ts';

/** What all hooks of one planning are told. */
export interface MapFacts {
  readonly definition: MapDefinition;
  readonly parent: KubeObject;
  readonly related: readonly ChildGroup[];
  /** Said to the hook: nothing of its answer will be written. */
  readonly dryRun: boolean;
}

/** The outputs of one input, with a group for each output resource. */
export interface OutputSet {
  readonly mapKey: string;
  /** Absent: it is gone. */
  readonly input?: KubeObject;
  readonly outputs: readonly ChildGroup[];
}

export class MapPayload {
  readonly #facts: MapFacts;
  readonly #common: string;

  constructor(facts: MapFacts) {
    this.#facts = facts;
    const { definition, parent, related } = facts;
    // Without the parent's status: we count in it, and whatever one input changes there concerns no other one.
    const known: JsonObject = { controller: controllerIn(definition), parent: steadyPart(parent) };
    this.#common = digestOf([known, digestsOf(related)]);
  }

  map(hook: Hook, set: OutputSet & { readonly input: KubeObject }): HookCall {
    const { mapKey, input } = set;
    const digested = { mapKey, input: digestOfObject(input), outputs: digestsOf(set.outputs) };
    return this.#call('map', hook, { parts: { mapKey, input: asShown(input) }, outputs: set.outputs, digested });
  }

  tombstone(hook: Hook, { mapKey, outputs }: OutputSet): HookCall {
    return this.#call('tombstone', hook, {
      parts: { mapKey },
      outputs,
      digested: { mapKey, outputs: digestsOf(outputs) },
    });
  }

  finalize(hook: Hook, outputs: readonly ChildGroup[]): HookCall {
    return this.#call('finalize', hook, {
      parts: { finalizing: true },
      outputs,
      digested: { outputs: digestsOf(outputs) },
    });
  }

  #call(hookName: 'map' | 'tombstone' | 'finalize', hook: Hook, { parts, outputs, digested }: Body): HookCall {
    const { definition, parent, related } = this.#facts;
    const request: JsonObject = {
      controller: controllerIn(definition),
      parent: asShown(parent),
      ...parts,
      outputs: objectsByGroup(outputs, hook.version, parent),
      related: objectsByGroup(related, hook.version, parent),
    };
    const call = callOf({ ...this.#facts, hook }, hookName, {
      request,
      digested: { common: this.#common, ...digested },
    });
    const { input } = parts;
    return input === undefined ? call : { ...call, input: refOf(input) };
  }
}

interface Body {
  readonly parts: { readonly mapKey?: string; readonly input?: KubeObject; readonly finalizing?: true };
  readonly outputs: readonly ChildGroup[];
  readonly digested: JsonObject;
}

/** In an order of their own: a view has none. */
const digestsOf = (groups: readonly ChildGroup[]): string[][] =>
  groups.map(({ objects }) => objects.map(digestOfObject).sort());

// Objects of a view are never changed: one that changes is another one.
const DIGESTS = new WeakMap<KubeObject, string>();

function digestOfObject(object: KubeObject): string {
  const known = DIGESTS.get(object);
  if (known !== undefined) return known;
  const digest = digestOf(stable(object));
  DIGESTS.set(object, digest);
  return digest;
}
