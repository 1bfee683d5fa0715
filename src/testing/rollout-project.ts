// A project whose children are rolled out: parents of kind Thing, children of kind Part with a status that the test writes
// (nobody else does), on any server. Parts have spec.image of their revision; the rollout follows spec.image of the Thing.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterClient, createClient } from '../cluster/index.ts';
import type { JsonObject } from '../kit/json.ts';
import type { KubeObject } from '../model/object.ts';
import type { ResourceType } from '../model/resource.ts';
import { CONFIG_MAPS } from './objects.ts';
import type { TestTarget } from './targets.ts';

export interface RolloutOptions {
  readonly method: 'RollingInPlace' | 'RollingRecreate' | 'InPlace';
  readonly names: readonly string[];
  readonly statusChecks?: readonly JsonObject[];
  readonly clusterScoped?: boolean;
  /** Default: dynamic. */
  readonly applyMode?: 'dynamic' | 'server-side';
  readonly fieldPaths?: readonly string[];
  /** Body of `export function sync(request) { … }`. */
  readonly hook?: string;
  /** Body of `export function finalize(request) { … }`; absent: the definition has no such hook. */
  readonly finalize?: string;
}

const CRDS = join(import.meta.dirname, '../../deploy/crds/controllerrevisions.yaml');

/** What it calls is counted in calls.log. */
const HOOK = `
  const { names, image } = request.parent.spec;
  const namespace = request.parent.metadata.namespace ?? request.parent.spec.namespace;
  const part = (name) => ({
    apiVersion: request.parent.apiVersion, kind: 'Part',
    metadata: { name, namespace, labels: { app: 'thing' } }, spec: { image },
  });
  return { children: names.map(part) };`;

let projects = 0;

export class RolloutProject {
  readonly path: string;
  readonly group: string;
  readonly namespace: string;
  readonly client: ClusterClient;
  readonly #options: RolloutOptions;

  private constructor(
    path: string,
    place: { group: string; namespace: string; client: ClusterClient },
    options: RolloutOptions,
  ) {
    this.path = path;
    this.group = place.group;
    this.namespace = place.namespace;
    this.client = place.client;
    this.#options = options;
  }

  static async create(target: TestTarget, options: RolloutOptions): Promise<RolloutProject> {
    const namespace = await target.namespace();
    // Unique also among the processes that share a real server.
    const group = `rollout-${++projects}-${namespace.slice(-6)}.example.com`;
    const path = await mkdtemp(join(tmpdir(), 'metactl-rollout-'));
    const project = new RolloutProject(path, { group, namespace, client: createClient(target.transport) }, options);
    await cp(CRDS, join(path, 'controllerrevisions.yaml'));
    await project.write('crds.json', {
      apiVersion: 'v1',
      kind: 'List',
      items: [project.#crd('Thing'), project.#crd('Part')],
    });
    await project.write('controller.json', project.#controller());
    await project.parent({ image: '1' });
    await project.hook(options.hook ?? HOOK);
    return project;
  }

  async write(name: string, content: object): Promise<void> {
    await writeFile(join(this.path, name), JSON.stringify(content));
  }

  /** spec of the one parent; names and selector are there unless given. */
  async parent(spec: JsonObject): Promise<void> {
    const { clusterScoped, names } = this.#options;
    await this.write('parent.json', {
      apiVersion: `${this.group}/v1`,
      kind: 'Thing',
      metadata: { name: 'one', ...(clusterScoped ? {} : { namespace: this.namespace }) },
      spec: {
        names,
        selector: { matchLabels: { app: 'thing' } },
        ...(clusterScoped ? { namespace: this.namespace } : {}),
        ...spec,
      },
    });
  }

  async hook(body: string): Promise<void> {
    const log = join(this.path, 'calls.log');
    const noted = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, '.');`;
    const { finalize = '' } = this.#options;
    const functions = { sync: `${noted}\n${body}`, finalize };
    const text = Object.entries(functions).map(([name, lines]) => `export function ${name}(request) {\n${lines}\n}\n`);
    await writeFile(join(this.path, 'hook.mjs'), text.join('\n'));
  }

  /** Since the last time. */
  async hookCalls(): Promise<number> {
    const log = join(this.path, 'calls.log');
    const text = await readFile(log, 'utf8').catch(() => '');
    await rm(log, { force: true });
    return text.length;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }

  type(kind: 'Thing' | 'Part'): ResourceType {
    const namespaced = kind === 'Part' || !this.#options.clusterScoped;
    const names = { kind, resource: `${kind.toLowerCase()}s` };
    return { ...CONFIG_MAPS, group: this.group, version: 'v1', ...names, namespaced, subresources: ['status'] };
  }

  async #list(type: ResourceType, namespace: string): Promise<readonly KubeObject[]> {
    const { items } = await this.client.list(type, { namespace });
    return [...items].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  }

  parts(): Promise<readonly KubeObject[]> {
    return this.#list(this.type('Part'), this.namespace);
  }

  /** "a@1 b@2" */
  async images(): Promise<string> {
    const parts = await this.parts();
    return parts.map(({ metadata, spec }) => `${metadata.name}@${(spec as { image: string }).image}`).join(' ');
  }

  async revisions(namespace = this.namespace): Promise<readonly KubeObject[]> {
    const all = await this.#list(REVISIONS, namespace);
    return all.filter(({ metadata }) => metadata.name?.startsWith(`things.${this.group}-`));
  }

  async thing(): Promise<KubeObject | undefined> {
    return this.client.get(this.type('Thing'), 'one', this.#options.clusterScoped ? undefined : this.namespace);
  }

  /** The parent's condition Updated: "False RolloutWaiting missing child Part a". */
  async updated(): Promise<string> {
    const thing = (await this.thing()) as { status?: { conditions?: readonly JsonObject[] } } | undefined;
    const found = thing?.status?.conditions?.find(({ type }) => type === 'Updated');
    return found ? `${found['status']} ${found['reason']} ${found['message']}` : 'none';
  }

  async setStatus(name: string, status: JsonObject): Promise<void> {
    await this.client.write({
      verb: 'patch',
      type: this.type('Part'),
      fieldManager: 'someone',
      name,
      namespace: this.namespace,
      contentType: 'application/merge-patch+json',
      patch: { status },
      subresource: 'status',
    });
  }

  #crd(kind: 'Thing' | 'Part'): object {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const { resource } = this.type(kind);
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${resource}.${this.group}` },
      spec: {
        group: this.group,
        scope: this.type(kind).namespaced ? 'Namespaced' : 'Cluster',
        names: { kind, plural: resource, singular: kind.toLowerCase(), listKind: `${kind}List` },
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

  #controller(): object {
    const {
      method,
      statusChecks = [],
      clusterScoped,
      fieldPaths = ['spec.image'],
      finalize,
      applyMode,
    } = this.#options;
    const hook = { module: { path: './hook.mjs' } };
    const namespace = clusterScoped ? { namespace: this.namespace } : {};
    const checks = statusChecks.length > 0 ? { statusChecks: { conditions: statusChecks } } : {};
    const apiVersion = `${this.group}/v1`;
    const rolling = method !== 'InPlace' ? { revisionHistory: { fieldPaths, ...namespace } } : {};
    return {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'things' },
      spec: {
        parentResource: { apiVersion, resource: 'things', ...rolling },
        childResources: [{ apiVersion, resource: 'parts', updateStrategy: { method, ...checks } }],
        ...(applyMode === undefined ? {} : { apply: { mode: applyMode } }),
        hooks: { sync: hook, ...(finalize === undefined ? {} : { finalize: hook }) },
      },
    };
  }
}

export const REVISIONS: ResourceType = {
  ...CONFIG_MAPS,
  group: 'metacontroller.k8s.io',
  version: 'v1alpha1',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  subresources: ['status'],
};
