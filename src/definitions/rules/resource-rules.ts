import { isDnsLabel, isDnsSubdomain } from '../../model/names.ts';
import { splitApiVersion } from '../../model/resource.ts';
import type { DocumentPath } from '../parse/document.ts';
import type { Problem } from '../problem.ts';
import type { GivenDefinition, GivenResource } from '../schema/given.ts';
import { indexed, PARENT_PATH, type Rule, resourceLists } from './rule.ts';

type Named = readonly [DocumentPath, GivenResource];

function resourcesOf(given: GivenDefinition): Named[] {
  const parent = given.spec?.parentResource;
  const listed = resourceLists(given).flatMap(({ path, items }) =>
    items.map(([index, resource]): Named => [[...path, index], resource]),
  );
  return [...(parent ? [[PARENT_PATH, parent] as const] : []), ...listed];
}

export const apiVersionsAreGroupVersions: Rule = function* (given): Generator<Problem> {
  for (const [path, { apiVersion }] of resourcesOf(given)) {
    if (apiVersion === undefined || isGroupVersion(apiVersion)) continue;
    yield {
      code: 'invalid-value',
      path: [...path, 'apiVersion'],
      summary: `"${apiVersion}" is not an API group and version`,
      hint: adviceForApiVersion(apiVersion),
    };
  }
};

function isGroupVersion(text: string): boolean {
  const [group, version, ...more] = text.includes('/') ? text.split('/') : [undefined, text];
  if (more.length > 0 || version === undefined || !isDnsLabel(version)) return false;
  return group === undefined ? /^v\d/.test(version) : isDnsSubdomain(group) && group !== 'core';
}

function adviceForApiVersion(text: string): string {
  const core = /^(?:core)?\/(v\d\w*)$/.exec(text);
  if (core) return `Write "${core[1]}" for the core group.`;
  if (!text.includes('/')) return `Add the version: "${text}/v1".`;
  return 'Write <group>/<version> such as "apps/v1", or "v1" for the core group.';
}

export const resourcesArePluralNames: Rule = function* (given): Generator<Problem> {
  for (const [path, { resource }] of resourcesOf(given)) {
    if (resource === undefined || isDnsLabel(resource)) continue;
    yield {
      code: 'invalid-value',
      path: [...path, 'resource'],
      summary: `"${resource}" is not a resource name`,
      hint: adviceForResource(resource),
    };
  }
};

function adviceForResource(text: string): string {
  if (text.includes('/')) return `Subresources are not reconciled; write "${text.slice(0, text.indexOf('/'))}".`;
  if (text.includes('.')) return `Write "${text.slice(0, text.indexOf('.'))}"; the group belongs in apiVersion.`;
  if (/^[A-Za-z]+$/.test(text)) return `Write the plural in lower case, not the kind: "${pluralOf(text)}".`;
  return 'Write the plural name in lower case, such as "deployments".';
}

/** As Kubernetes guesses the plural of a kind. */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (kind !== word && /[^s]s$/.test(word)) return /(ss|us|is)$/.test(word) ? `${word}es` : word;
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

export const listedResourcesAreDistinct: Rule = function* (given): Generator<Problem> {
  for (const { field, path, word, items } of resourceLists(given)) {
    const first = new Map<string, number>();
    for (const [index, resource] of items) {
      const key = resourceKey(resource);
      const earlier = key === undefined ? undefined : first.get(key);
      if (key !== undefined && earlier === undefined) first.set(key, index);
      if (earlier === undefined) continue;
      yield {
        code: 'conflicting-fields',
        path: [...path, index, 'resource'],
        summary: `The ${word} resource "${resource.resource}" is declared twice`,
        detail: `First as spec.${field}[${earlier}]. Versions of one resource are the same objects.`,
        hint: 'Keep one of the two.',
      };
    }
  }
};

export const parentIsNotItsOwnChild: Rule = function* (given): Generator<Problem> {
  const parent = given.spec?.parentResource && resourceKey(given.spec.parentResource);
  for (const { field, path, word, items } of resourceLists(given)) {
    if (parent === undefined || field === 'inputResources') continue;
    for (const [index, resource] of items) {
      if (resourceKey(resource) !== parent) continue;
      yield {
        severity: 'warning',
        code: 'conflicting-fields',
        path: [...path, index, 'resource'],
        summary: `"${resource.resource}" is the parent resource and also ${word === 'output' ? 'an' : 'a'} ${word} resource`,
        detail: `Each ${word} is a parent again, and the hook is called for it.`,
        hint: `Make sure that the hook stops at some depth, or remove this ${word} resource.`,
      };
    }
  }
};

export const attachmentsAreNotDecorated: Rule = function* ({ spec }): Generator<Problem> {
  const all = indexed(spec?.resources).filter(([, rule]) => !rule.labelSelector && !rule.annotationSelector);
  const decorated = new Set(all.map(([, rule]) => resourceKey(rule)));
  for (const [index, attachment] of indexed(spec?.attachments)) {
    const key = resourceKey(attachment);
    if (key === undefined || !decorated.has(key)) continue;
    yield {
      severity: 'warning',
      code: 'conflicting-fields',
      path: ['spec', 'attachments', index, 'resource'],
      summary: `All ${attachment.resource} are decorated, and ${attachment.resource} are attached`,
      detail: 'Each attachment is decorated again, and the hook is called for it.',
      hint: 'Give the decorated resource a labelSelector or an annotationSelector that attachments do not match.',
    };
  }
};

function resourceKey({ apiVersion, resource }: GivenResource): string | undefined {
  if (apiVersion === undefined || resource === undefined) return undefined;
  return `${resource}.${splitApiVersion(apiVersion).group}`;
}
