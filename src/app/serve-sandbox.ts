// Use case of `metactl sandbox serve`: the sandbox over HTTP, until the environment's signal aborts.

import type { AppEnvironment } from './options.ts';

export interface ServeSandboxOptions {
  /** Absent: in memory, gone at the end. */
  readonly directory?: string;
  /** 0: a free one. */
  readonly port: number;
  /** Told once, when the server listens. */
  readonly onListening: (url: string) => Promise<void>;
}

/** Resolves when everything is closed and, with a directory, on disk. */
export async function serveSandboxUntilStopped(
  options: ServeSandboxOptions,
  { clock, signal }: AppEnvironment,
): Promise<void> {
  const { createSandbox, openSandboxDirectory, serveSandbox } = await import('../sandbox/index.ts');
  const { directory, port } = options;
  const sandbox = directory === undefined ? createSandbox({ clock }) : await openSandboxDirectory(directory, { clock });
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
