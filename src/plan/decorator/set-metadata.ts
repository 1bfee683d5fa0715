// Which labels and annotations of an object a decorator has set, remembered in an annotation of the object itself: what its
// hook returns no more can be taken off then, whoever runs the controller and however often it was restarted.

import { digestOf } from '../../kit/hash.ts';
import { getOwn, isJsonArray, isJsonObject, parseJson, stringifyJson } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Edits } from '../answer/answer-metadata.ts';

export interface MetadataEdits {
  readonly labels: Edits;
  readonly annotations: Edits;
}

interface Remembered {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

const DOMAIN = 'decorator.metactl.dev';
const NAME_LIMIT = 63;

/** The name of the annotation has room for 63 characters of the controller's name. */
export function recordAnnotation(controller: string): string {
  if (controller.length <= NAME_LIMIT) return `${DOMAIN}/${controller}`;
  return `${DOMAIN}/${controller.slice(0, NAME_LIMIT - 11).replace(/[^a-z0-9]+$/, '')}-${digestOf(controller).slice(0, 10)}`;
}

/**
 * The hook's edits, with what it returned before and returns no more taken off. What stood there already with the value
 * that the hook returns is not ours: it is not remembered, and stays.
 */
export function withOmitted(controller: string, { metadata }: KubeObject, edits: MetadataEdits): MetadataEdits {
  const key = recordAnnotation(controller);
  const before = remembered(metadata.annotations?.[key]);
  const labels = ownedKeys(metadata.labels, edits.labels, before.labels);
  const annotations = ownedKeys(metadata.annotations, edits.annotations, before.annotations);
  const record = labels.length + annotations.length === 0 ? null : stringifyJson({ annotations, labels });
  return {
    labels: { ...takenOff(before.labels, edits.labels), ...edits.labels },
    annotations: { ...takenOff(before.annotations, edits.annotations), ...edits.annotations, [key]: record },
  };
}

function ownedKeys(
  given: Readonly<Record<string, string>> | undefined,
  edits: Edits,
  before: readonly string[],
): string[] {
  const is = (key: string): string | undefined => (given && Object.hasOwn(given, key) ? given[key] : undefined);
  return Object.entries(edits)
    .filter(([key, value]) => value !== null && (before.includes(key) || is(key) !== value))
    .map(([key]) => key)
    .sort();
}

const takenOff = (before: readonly string[], edits: Edits): Edits =>
  Object.fromEntries(before.filter((key) => !Object.hasOwn(edits, key)).map((key) => [key, null]));

/** What can't be read is as good as nothing: whoever changed it has taken what it says upon himself. */
function remembered(text: string | undefined): Remembered {
  const value = text === undefined ? undefined : parsed(text);
  const keysIn = (field: string): string[] => {
    const list = isJsonObject(value) ? getOwn(value, field) : undefined;
    return isJsonArray(list) ? list.filter((key): key is string => typeof key === 'string') : [];
  };
  return { labels: keysIn('labels'), annotations: keysIn('annotations') };
}

function parsed(text: string) {
  try {
    return parseJson(text);
  } catch {
    return undefined; // As said at remembered().
  }
}
