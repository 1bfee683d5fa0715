// A directory with a map controller that makes config maps out of config maps, its CRD, its hooks and a parent, for tests
// that run a use case on a server.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectDirectory } from './project-directory.ts';

export interface MapProjectOptions {
  readonly group: string;
  readonly namespace: string;
  /** Bodies of functions of `request`, by hook. map: each input is copied, `data.copies` times, or once by `data.as`. */
  readonly hooks?: Readonly<Partial<Record<'map' | 'tombstone' | 'finalize' | 'customize', string>>>;
  /** Of the definition, beside what is always there. */
  readonly controllerSpec?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Outputs have the label that inputs have: only that the parent owns them keeps them from being inputs. */
const COPY = `
  const { name } = request.input.metadata;
  const { copies = '1', as, ...data } = request.input.data ?? {};
  const names = as ? [as] : Array.from({ length: Number(copies) }, (_, index) => name + '-' + index);
  return { outputs: names.map((name) => ({
    apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'thing' } }, data,
  })) };
`;

/** All whose data.until is later than spec.now of the parent. */
export const KEEP_UNTIL = `
  const outputs = Object.values(request.outputs['ConfigMap.v1']);
  return { outputs: outputs.filter(({ data }) => Number(data.until) > request.parent.spec.now) };
`;

export class MapProject {
  readonly path: string;
  readonly #project: ProjectDirectory;
  readonly #options: MapProjectOptions;

  private constructor(project: ProjectDirectory, options: MapProjectOptions) {
    this.path = project.path;
    this.#project = project;
    this.#options = options;
  }

  static async create(options: MapProjectOptions): Promise<MapProject> {
    const { group, namespace, spec = {} } = options;
    const project = await ProjectDirectory.create({ group, namespace, hook: '', spec });
    const made = new MapProject(project, options);
    await made.controller({});
    await made.hooks(options.hooks ?? {});
    return made;
  }

  /** `more`: of the definition's spec. */
  async controller(more: Readonly<Record<string, unknown>>): Promise<void> {
    const { group, method = 'InPlace', hooks = {}, controllerSpec = {} } = this.#options;
    const configMaps = { apiVersion: 'v1', resource: 'configmaps' };
    const hook = { module: { path: './hook.mjs' } };
    await this.#project.write('controller.json', {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'MapController',
      metadata: { name: 'copier' },
      spec: {
        parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
        inputResources: [configMaps],
        outputResources: [{ ...configMaps, updateStrategy: { method } }],
        hooks: Object.fromEntries(['map', ...Object.keys(hooks)].map((name) => [name, hook])),
        ...controllerSpec,
        ...more,
      },
    });
  }

  /** Every call leaves a line "map NAME", "tombstone KEY" or "finalize" in calls.log. */
  async hooks(bodies: MapProjectOptions['hooks']): Promise<void> {
    const log = JSON.stringify(join(this.path, 'calls.log'));
    const note = `
function note(hook, request) {
  const what = request.input?.metadata.name ?? request.mapKey ?? '';
  process.getBuiltinModule('node:fs').appendFileSync(${log}, (hook + ' ' + what).trim() + '\\n');
}
`;
    const functions = Object.entries({ map: COPY, ...bodies }).map(
      ([name, body]) => `export function ${name}(request) {\nnote('${name}', request);\n${body}\n}\n`,
    );
    await writeFile(join(this.path, 'hook.mjs'), `${note}${functions.join('')}`);
  }

  async parent(spec: Record<string, unknown>): Promise<void> {
    await this.#project.parent(spec);
  }

  async write(name: string, content: object): Promise<void> {
    await this.#project.write(name, content);
  }

  async remove(): Promise<void> {
    await this.#project.remove();
  }
}
