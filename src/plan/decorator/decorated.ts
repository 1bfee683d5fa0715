import { type MutableJsonObject, setOwn } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Decoration } from '../../model/plan.ts';

type Edits = Readonly<Record<string, string | null>>;

/** The object with its labels, annotations, status and finalizers as the decoration says; all else as it is. */
export function decorated({ labels, annotations, status, finalizer }: Decoration, object: KubeObject): KubeObject {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...rest } = object.metadata;
  const edited = {
    labels: withEdits(object.metadata.labels, labels),
    annotations: withEdits(object.metadata.annotations, annotations),
  };
  const finalizers = object.metadata.finalizers?.filter((name) => name !== finalizer);
  const metadata = {
    ...rest,
    ...(edited.labels ? { labels: edited.labels } : {}),
    ...(edited.annotations ? { annotations: edited.annotations } : {}),
    ...(finalizers && finalizers.length > 0 ? { finalizers } : {}),
  };
  return { ...object, metadata, ...(status === undefined ? {} : { status }) };
}

/** undefined: there are none, as the server stores it. */
export function withEdits(given: Readonly<Record<string, string>> | undefined, edits: Edits) {
  const map: MutableJsonObject = { ...given };
  for (const [key, value] of Object.entries(edits)) {
    if (value === null) delete map[key];
    else setOwn(map, key, value);
  }
  return Object.keys(map).length === 0 ? undefined : (map as Readonly<Record<string, string>>);
}
