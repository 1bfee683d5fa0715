// For tests of input that must be refused: a sandbox behind a front that counts writes, projects over it, and the check
// that plan and apply end with one error and the cluster is as it was.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { systemClock } from '../app/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Transport } from '../ports/transport.ts';
import { createSandbox } from '../sandbox/index.ts';
import { type CountingFront, countingFront } from './counting-front.ts';
import { ProjectDirectory, type ProjectOptions } from './project-directory.ts';
import { type UseCases, useCases } from './use-cases.ts';

export interface RefusalStage extends UseCases {
  readonly project: ProjectDirectory;
  readonly group: string;
  /** The definition with another sync hook. */
  definition(sync: object): object;
}

export interface RefusalBench {
  /** Holds the kubeconfig and nothing else. */
  readonly directory: string;
  readonly kubeconfig: string;
  /** Usable in tests. */
  readonly transport: () => Transport;
  stage(hook?: string, kind?: ProjectOptions['kind']): Promise<RefusalStage>;
  /** plan and apply both end with errors of this code alone, nothing is written; removes the project. */
  assertRefused(staged: RefusalStage, code: string): Promise<void>;
}

/** A hook that returns one config map, "map". */
export const ONE_MAP =
  'return { children: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", labels: { app: "thing" } } }] };';

/** Called where tests are registered: starts the sandbox before them and closes it after them. */
export function refusalBench(): RefusalBench {
  const directory = mkdtempSync(join(tmpdir(), 'metactl-refusals-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const sandbox = createSandbox({ clock: systemClock });
  let front: CountingFront | undefined;
  let counter = 0;
  before(async () => {
    front = await countingFront(sandbox.transport, kubeconfig, () => undefined);
  });
  after(async () => {
    await front?.close();
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    directory,
    kubeconfig,
    transport: () => sandbox.transport,
    async stage(hook = ONE_MAP, kind = 'CompositeController') {
      const group = `refused-${++counter}.example.com`;
      const project = await ProjectDirectory.create({ kind, group, namespace: 'default', hook });
      const definition = (sync: object): object => definitionWith(group, sync);
      return { project, group, definition, ...useCases({ cluster: { kubeconfig }, paths: [project.path] }) };
    },
    async assertRefused(staged, code) {
      const writesBefore = front?.writes();
      try {
        await assertBothRefuse(staged, code);
        assert.equal(front?.writes(), writesBefore, 'something was written');
      } finally {
        await staged.project.remove();
      }
    },
  };
}

async function assertBothRefuse({ plan, apply }: RefusalStage, code: string): Promise<void> {
  const planned = await plan();
  assert.deepEqual([...new Set(errorsOf(planned.diagnostics))], [code], JSON.stringify(planned.diagnostics));
  const applied = await apply();
  assert.equal(applied.status, 'failed');
  assert.deepEqual([...new Set(errorsOf(applied.diagnostics))], [code]);
  assert.deepEqual(applied.applied, []);
  assertSpeaksOfNoCrash(planned.diagnostics);
}

function definitionWith(group: string, sync: object): object {
  return {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'things' },
    spec: {
      parentResource: { apiVersion: `${group}/v1`, resource: 'things' },
      childResources: [{ apiVersion: 'v1', resource: 'configmaps', updateStrategy: { method: 'InPlace' } }],
      hooks: { sync },
    },
  };
}

export const errorsOf = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);

export function assertSpeaksOfNoCrash(diagnostics: readonly Diagnostic[]): void {
  for (const { summary, code } of diagnostics) {
    assert.notEqual(code, 'internal', summary);
    assert.doesNotMatch(summary, /\n|undefined|\[object Object\]|TypeError/);
  }
}
