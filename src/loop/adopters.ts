// Which parents of one controller may adopt an orphan: found by its labels, in an index of their selectors, so that an object
// that belongs to nobody costs no look at every parent.

import type { LabelSelector } from '../model/definition.ts';
import type { KubeObject } from '../model/object.ts';
import { type Controller, childSelectorIn, matchesLabels } from '../reconcile/index.ts';

type Namespace = string | undefined;

interface Entry {
  readonly parent: KubeObject;
  readonly selector: LabelSelector;
  readonly place: string;
}

/** A selector with labels is found by the first of them; one without, by the namespace alone. */
const ANY = '*';

export class Adopters {
  readonly #controller: Controller;
  /** By namespace and name. */
  readonly #entries = new Map<string, Entry>();
  readonly #byPlace = new Map<string, Set<Entry>>();

  /** Of a controller whose parents have selectors: childSelectorIn(). */
  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** Seen as it is now. */
  seen(parent: KubeObject): void {
    const known = this.#entries.get(nameOf(parent));
    if (known?.parent === parent) return;
    this.gone(parent);
    const selector = childSelectorIn(this.#controller, parent);
    if (selector === undefined) return;
    const [label] = Object.entries(selector.matchLabels);
    const place = placeOf(parent.metadata.namespace, label ? label.join('=') : ANY);
    const entry = { parent, selector, place };
    this.#entries.set(nameOf(parent), entry);
    const there = this.#byPlace.get(place);
    if (there) there.add(entry);
    else this.#byPlace.set(place, new Set([entry]));
  }

  gone(parent: KubeObject): void {
    const known = this.#entries.get(nameOf(parent));
    if (!known) return;
    this.#entries.delete(nameOf(parent));
    const there = this.#byPlace.get(known.place);
    there?.delete(known);
    if (there?.size === 0) this.#byPlace.delete(known.place);
  }

  of({ metadata: { namespace, labels = {} } }: KubeObject): KubeObject[] {
    // The children of a cluster-scoped parent may be anywhere.
    const home = this.#controller.parentType.namespaced ? namespace : undefined;
    const places = [ANY, ...Object.entries(labels).map((label) => label.join('='))];
    const near = places.flatMap((place) => [...(this.#byPlace.get(placeOf(home, place)) ?? [])]);
    return near.filter(({ selector }) => matchesLabels(selector, labels)).map(({ parent }) => parent);
  }
}

const nameOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace ?? ''}/${name}`;

const placeOf = (namespace: Namespace, label: string): string => `${namespace ?? ''} ${label}`;
