// kubectl as a person runs it: words on a command line, with a discovery cache of its own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findBinaries } from '../../tools/kube/binaries.ts';

export interface KubectlOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KubectlOptions {
  readonly kubeconfig: string;
  /** For its cache; the caller removes it. */
  readonly directory: string;
  readonly namespace?: string;
  /** What `kubectl edit` starts: a command that changes the file it is given. */
  readonly editor?: string;
}

/** The program of the server's version, or undefined where it was not built. */
export function findKubectl(): string | undefined {
  const given = process.env['METACTL_REAL_KUBECTL'];
  if (given) return given;
  const binaries = findBinaries(process.env);
  return 'missing' in binaries ? undefined : binaries.kubectl;
}

export class Kubectl {
  readonly #options: KubectlOptions;

  constructor(options: KubectlOptions) {
    this.#options = options;
  }

  /** `kubectl <words>`, with `input` for -f -. Words are parted by single spaces. */
  run(words: string, input = ''): Promise<KubectlOutcome> {
    const { kubeconfig, directory, namespace, editor = 'false' } = this.#options;
    const scope = namespace === undefined ? [] : ['--namespace', namespace];
    const args = ['--cache-dir', join(directory, 'cache'), ...scope, ...words.split(' ')];
    const env = { PATH: process.env['PATH'], HOME: directory, KUBECONFIG: kubeconfig, KUBE_EDITOR: editor };
    return new Promise((resolve) => {
      const child = execFile(findKubectl() ?? '', args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }

  /** Its stdout; fails unless it ends with 0 and says nothing on stderr. */
  async ok(words: string, input = ''): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, input);
    assert.equal(code, 0, `kubectl ${words}: ${stderr}${stdout}`);
    assert.equal(stderr, '', `kubectl ${words}`);
    return stdout;
  }
}
