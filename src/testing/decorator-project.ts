// A directory with a decorator and its hooks, for tests that run a use case: over objects that the test makes, of kinds that
// every cluster has. Selectors keep it to objects of the test: a real server is shared.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export interface DecoratorOptions {
  /** Of the definition: its finalizer and its attachments carry it. */
  readonly name: string;
  readonly resources: readonly object[];
  readonly attachments?: readonly object[];
  /** Bodies of `function (request, context) { … }`; `note(text)` writes into a log. */
  readonly hooks: Readonly<Partial<Record<'sync' | 'finalize' | 'customize', string>>>;
  readonly version?: 'v1' | 'v2';
  readonly apply?: object;
  readonly resyncPeriodSeconds?: number;
}

export class DecoratorProject {
  readonly path: string;
  readonly log: string;

  private constructor(path: string) {
    this.path = path;
    this.log = join(path, 'hook.log');
  }

  /** Inside a test: it is gone with it. */
  static async create(options: DecoratorOptions): Promise<DecoratorProject> {
    const project = new DecoratorProject(await mkdtemp(join(tmpdir(), 'metactl-decorator-')));
    after(() => rm(project.path, { recursive: true, force: true }));
    await project.write(options);
    return project;
  }

  async write({ name, hooks, version = 'v1', ...spec }: DecoratorOptions): Promise<void> {
    const hook = { version, module: { path: './hook.mjs' } };
    const names = Object.keys(hooks);
    const definition = {
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'DecoratorController',
      metadata: { name },
      spec: { ...spec, hooks: Object.fromEntries(names.map((one) => [one, hook])) },
    };
    await writeFile(join(this.path, 'decorator.json'), JSON.stringify(definition));
    const head = `import { appendFileSync } from 'node:fs';
const note = (text) => appendFileSync(${JSON.stringify(this.log)}, text + '\\n');\n`;
    const functions = Object.entries(hooks).map(
      ([one, body]) => `export function ${one}(request, context) {\n${body}\n}\n`,
    );
    await writeFile(join(this.path, 'hook.mjs'), head + functions.join(''));
  }
}
