// Use case of `metactl sandbox serve`: the sandbox over HTTP, until the environment's signal aborts.

import type { ReadinessModel } from '../sandbox/index.ts';
import type { AppEnvironment } from './options.ts';

export interface ServeSandboxOptions {
  /** Absent: in memory, gone at the end. */
  readonly directory?: string;
  /** 0: a free one. */
  readonly port: number;
  /** As in ClusterChoice. */
  readonly readiness?: readonly ReadinessModel[];
  /** false: an API server alone, for the controllers of Kubernetes themselves. */
  readonly controllers?: boolean;
  /** Told once, when the server listens. */
  readonly onListening: (url: string) => Promise<void>;
}

/** Resolves when everything is closed and, with a directory, on disk. */
export async function serveSandboxUntilStopped(
  options: ServeSandboxOptions,
  { clock, signal }: AppEnvironment,
): Promise<void> {
  const { createSandbox, openSandboxDirectory, serveSandbox } = await import('../sandbox/index.ts');
  const { directory, port, readiness: models = [], controllers = true } = options;
  const sandboxOptions = { clock, models, controllers };
  const sandbox =
    directory === undefined ? createSandbox(sandboxOptions) : await openSandboxDirectory(directory, sandboxOptions);
  try {
    const server = await serveSandbox(sandbox, { host: '127.0.0.1', port });
    try {
      await options.onListening(server.url);
      await aborted(signal);
    } finally {
      await server.close();
    }
  } finally {
    await sandbox.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
