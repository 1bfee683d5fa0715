// A directory with a definition, its CRD, a hook and a parent, for tests that run a use case or the command line. Each has
// an API group of its own, so that tests can share one real server.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PROJECT_KINDS = ['CompositeController', 'DecoratorController', 'MapController'] as const;
export type ProjectKind = (typeof PROJECT_KINDS)[number];

export interface ProjectOptions {
  /** API group, unique to the test. */
  readonly group: string;
  readonly namespace: string;
  /** Body of `export function sync(request) { … }`. */
  readonly hook: string;
  /** Bodies of `finalize(request)` and the like; the definition has the hooks that are given. tombstone: of a map controller. */
  readonly moreHooks?: Readonly<Partial<Record<'finalize' | 'customize' | 'tombstone', string>>>;
  /**
   * Default: CompositeController. Hooks are written in its words, and translated for a decorator of the same parents, and for a
   * map controller with one input (a ServiceAccount, in input.json): what is tested of them is the same.
   */
  readonly kind?: ProjectKind;
  /** Of all hooks. Default: v1. */
  readonly hookVersion?: 'v1' | 'v2';
  /** Of the definition, beside what is always there. */
  readonly controllerSpec?: Readonly<Record<string, unknown>>;
  readonly parentResource?: Readonly<Record<string, unknown>>;
  readonly parentScope?: 'Namespaced' | 'Cluster';
  readonly method?: string;
  readonly generateSelector?: boolean;
  /** Plural names of the core group. Default: config maps only. */
  readonly childResources?: readonly string[];
  readonly spec?: Record<string, unknown>;
}

export class ProjectDirectory {
  readonly path: string;
  readonly #options: ProjectOptions;

  private constructor(path: string, options: ProjectOptions) {
    this.path = path;
    this.#options = options;
  }

  static async create(options: ProjectOptions): Promise<ProjectDirectory> {
    const project = new ProjectDirectory(await mkdtemp(join(tmpdir(), 'metactl-project-')), options);
    await project.write('crd.json', project.#crd());
    await project.write('controller.json', project.#controller());
    await project.parent(options.spec ?? {});
    await project.hook(options.hook);
    if (options.kind === 'MapController') await project.write('input.json', project.#input());
    return project;
  }

  async write(name: string, content: object): Promise<void> {
    await writeFile(join(this.path, name), JSON.stringify(content));
  }

  async parent(spec: Record<string, unknown>): Promise<void> {
    const { group, namespace } = this.#options;
    const selector = { matchLabels: { app: 'thing' } };
    const metadata = this.#options.parentScope === 'Cluster' ? { name: 'one' } : { name: 'one', namespace };
    await this.write('parent.json', {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata,
      spec: { selector, ...spec },
    });
  }

  /** spec.apply of the definition. */
  async apply(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await this.write('controller.json', this.#controller({ apply: settings }));
  }

  async hook(body: string, more = this.#options.moreHooks ?? {}): Promise<void> {
    const functions = Object.entries({ sync: body, ...more });
    const wrap = WORDS[this.#options.kind ?? 'CompositeController'];
    const text = functions.map(([name, code]) => wrap(name, code)).join('');
    await writeFile(join(this.path, 'hook.mjs'), text);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  #crd(): object {
    const { group } = this.#options;
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: this.#options.parentScope ?? 'Namespaced',
        names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
            subresources: { status: {} },
          },
        ],
      },
    };
  }

  #input(): object {
    const metadata = { name: 'input', namespace: this.#options.namespace, labels: { app: 'thing' } };
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  }

  #controller(more: Readonly<Record<string, unknown>> = {}): object {
    const { group, method = 'InPlace', generateSelector, childResources = ['configmaps'] } = this.#options;
    const { moreHooks = {}, hookVersion: version = 'v1', controllerSpec, parentResource } = this.#options;
    const hook = { version, module: { path: './hook.mjs' } };
    const { kind = 'CompositeController' } = this.#options;
    const parents = { ...parentResource, apiVersion: `${group}/v1`, resource: 'things' };
    const children = childResources.map((resource) => ({ apiVersion: 'v1', resource, updateStrategy: { method } }));
    const lists = {
      CompositeController: { parentResource: parents, childResources: children },
      DecoratorController: { resources: [parents], attachments: children },
      MapController: { parentResource: parents, inputResources: [INPUTS], outputResources: children },
    };
    const main = kind === 'MapController' ? 'map' : 'sync';
    return {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind,
      metadata: { name: 'things' },
      spec: {
        ...(generateSelector ? { generateSelector } : {}),
        ...controllerSpec,
        ...more,
        ...lists[kind],
        hooks: Object.fromEntries([main, ...Object.keys(moreHooks)].map((name) => [name, hook])),
      },
    };
  }
}

const INPUTS = { apiVersion: 'v1', resource: 'serviceaccounts' };

const inOwnWords = (name: string, code: string): string => `export function ${name}(request) {\n${code}\n}\n`;

/** Request and answer of a decorator, for a function that knows those of a composite controller. */
const inDecoratorWords = (name: string, code: string): string => `export function ${name}(given) {
  const { object = given.parent, attachments, ...rest } = given;
  const request = { ...rest, parent: object, children: attachments };
  const answer = (() => {\n${code}\n})();
  const { children, ...others } = answer;
  return children === undefined ? answer : { ...others, attachments: children };
}
`;

/** Of a map controller; sync is its map hook, and nobody says the status. */
const inMapWords = (name: string, code: string): string => `export function ${name === 'sync' ? 'map' : name}(given) {
  const { outputs, ...rest } = given;
  const request = { ...rest, children: outputs };
  const answer = (() => {\n${code}\n})();
  const { children, status, ...others } = answer;
  return children === undefined ? answer : { ...others, outputs: children };
}
`;

const WORDS: Readonly<Record<ProjectKind, (name: string, code: string) => string>> = {
  CompositeController: inOwnWords,
  DecoratorController: inDecoratorWords,
  MapController: inMapWords,
};
