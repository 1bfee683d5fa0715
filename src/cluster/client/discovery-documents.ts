// The two forms of discovery → ResourceType[]. Aggregated (two documents, Kubernetes 1.26+) and the older form of one
// document a group version.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { ResourceType } from '../../model/resource.ts';

/** Resources of one APIGroupDiscoveryList (v2 or v2beta1), in the server's order. */
export function resourcesOfAggregated(document: JsonObject): ResourceType[] {
  return objectsOf(document['items']).flatMap((item) => {
    const group = textOf(objectOf(item['metadata'])['name']);
    return objectsOf(item['versions']).flatMap((version) =>
      objectsOf(version['resources']).flatMap((resource) => aggregatedResource(resource, group, version)),
    );
  });
}

function aggregatedResource(resource: JsonObject, group: string, version: JsonObject): ResourceType[] {
  const kind = textOf(objectOf(resource['responseKind'])['kind']);
  // A resource that is only there for its subresources has no kind.
  if (kind === '') return [];
  return [
    {
      group,
      version: textOf(version['version']),
      kind,
      resource: textOf(resource['resource']),
      namespaced: resource['scope'] === 'Namespaced',
      verbs: textsOf(resource['verbs']),
      subresources: objectsOf(resource['subresources']).map((sub) => textOf(sub['subresource'])),
    },
  ];
}

/** Resources of one APIResourceList: subresources stand beside their resource there, as "pods/status". */
export function resourcesOfLegacy(document: JsonObject, at: { group: string; version: string }): ResourceType[] {
  const entries = objectsOf(document['resources']).map((entry) => ({ entry, name: textOf(entry['name']) }));
  return entries
    .filter(({ name }) => !name.includes('/'))
    .map(({ entry, name }) => ({
      group: at.group,
      version: at.version,
      kind: textOf(entry['kind']),
      resource: name,
      namespaced: entry['namespaced'] === true,
      verbs: textsOf(entry['verbs']),
      subresources: entries
        .filter((other) => other.name.startsWith(`${name}/`))
        .map((other) => other.name.slice(name.length + 1)),
    }));
}

/** Group versions of /api (APIVersions) or /apis (APIGroupList). */
export function groupVersionsOf(document: JsonObject): { group: string; version: string }[] {
  const core = textsOf(document['versions']).map((version) => ({ group: '', version }));
  const named = objectsOf(document['groups']).flatMap((group) =>
    objectsOf(group['versions']).map((entry) => ({ group: textOf(group['name']), version: textOf(entry['version']) })),
  );
  return [...core, ...named];
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
