// Every name of a new controller, from one.

import { pascalCase } from '../typescript/index.ts';

export const CONTROLLER_KINDS = ['composite', 'decorator', 'map'] as const;
export type ControllerKindName = (typeof CONTROLLER_KINDS)[number];

export const LANGUAGES = ['ts', 'js', 'python', 'jsonnet'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface ScaffoldOptions {
  readonly kind: ControllerKindName;
  /** A DNS label that begins with a letter. */
  readonly name: string;
  readonly language: Language;
  /** API group of the kind, and of annotations. */
  readonly group: string;
}

/** What templates are made with. */
export interface Names {
  readonly name: string;
  /** "WebApp" */
  readonly kind: string;
  /** "webapps" */
  readonly plural: string;
  readonly group: string;
}

/** So that what is made of it (web-app-controller) is a DNS label too. */
const MOST_LENGTH = 50;
const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;

/** What is wrong with a name, for "the name … ". */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MOST_LENGTH) return `has ${name.length} characters; ${MOST_LENGTH} are allowed`;
  if (!LABEL.test(name))
    return 'must be small letters, digits and "-", with a letter first and no "-" last, as web-app';
  return undefined;
}

/** The same of an API group. */
export function groupProblem(group: string): string | undefined {
  if (group.length > 150) return `has ${group.length} characters; 150 are allowed`;
  if (!GROUP.test(group)) return 'must be a domain, as example.com';
  if (/(^|[.])(k8s|kubernetes)[.]io$/.test(group)) return 'belongs to Kubernetes: take a domain of yours';
  return undefined;
}

export function namesOf({ name, group }: Pick<ScaffoldOptions, 'name' | 'group'>): Names {
  const kind = pascalCase(name);
  return { name, kind, plural: pluralOf(kind.toLowerCase()), group };
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
