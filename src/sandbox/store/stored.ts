// One stored revision of an object: parsed, never mutated, with its text made once when first needed.
// Invariant: the keys of `object` begin with apiVersion, kind, metadata. The text of another version, or of a list item
// without apiVersion and kind, is therefore the same text behind another prefix.

import { type MutableJsonObject, setOwn, stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import { cleanMetadata } from '../meta/metadata.ts';

export class Stored {
  readonly object: KubeObject;
  readonly rv: number;
  #text: string | undefined;

  constructor(object: KubeObject, rv: number) {
    this.object = object;
    this.rv = rv;
  }

  /** The JSON text, with this apiVersion where it is served in another version than it is kept in. */
  text(apiVersion: string): string {
    this.#text ??= stringifyJson(this.object);
    if (apiVersion === this.object.apiVersion) return this.#text;
    const rest = this.#text.slice(`{"apiVersion":${JSON.stringify(this.object.apiVersion)}`.length);
    return `{"apiVersion":${JSON.stringify(apiVersion)}${rest}`;
  }

  /** The text as an item of a list of built-ins: without apiVersion and kind. */
  itemText(): string {
    const { apiVersion, kind } = this.object;
    const prefix = `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
    return `{${this.text(apiVersion).slice(prefix.length)}`;
  }
}

/** The object with its keys in the order that Stored needs, its resourceVersion set, undefined properties left out. */
export function inStoredOrder(object: KubeObject, rv: number): KubeObject {
  const metadata = cleanMetadata({ ...object.metadata, resourceVersion: String(rv) });
  const ordered: MutableJsonObject = { apiVersion: object.apiVersion, kind: object.kind, metadata };
  for (const key of Object.keys(object)) {
    if (key !== 'apiVersion' && key !== 'kind' && key !== 'metadata') setOwn(ordered, key, object[key]);
  }
  return ordered as KubeObject;
}
