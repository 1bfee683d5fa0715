// Runs a credential plugin (client.authentication.k8s.io) as kubectl does: the user's environment and the entry's, the
// request in KUBERNETES_EXEC_INFO, stdin only where it may ask somebody. Its stderr is the user's: that is where a plugin
// says which page to open. Its stdout is bounded, and no error quotes it. When to run it again is identity.ts's.

import { type ChildProcess, spawn } from 'node:child_process';
import { isJsonArray, isJsonObject, type JsonObject, stringifyJson } from '../../kit/json.ts';
import { dataOrFile } from './credential-files.ts';
import type { ExecConfig } from './exec-config.ts';
import { parseExecCredential } from './exec-credential.ts';
import { textOf } from './kubeconfig-file.ts';
import type { PluginCredentials } from './plugin-credentials.ts';

export interface PluginEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Is somebody there to answer a question? */
  readonly interactive: boolean;
  /** Where the plugin's stderr goes. */
  readonly stderr: 'inherit' | 'ignore';
  /** Milliseconds; one that may ask somebody gets more by default. */
  readonly timeoutMs?: number;
}

/** The cluster that the credentials are for, as the plugin may see it. */
export interface PluginCluster {
  readonly server: string;
  readonly cluster: JsonObject;
}

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 60_000;
const INTERACTIVE_TIMEOUT_MS = 600_000;

/** Throws an Error in words that are fit for the user. */
export async function runExecPlugin(
  config: ExecConfig,
  target: PluginCluster,
  environment: PluginEnvironment,
): Promise<PluginCredentials> {
  const interactive = config.interactiveMode !== 'Never' && environment.interactive;
  const info = await execInfo(config, target, interactive);
  try {
    if (config.interactiveMode === 'Always' && !interactive) {
      throw new Error('wants to ask somebody (interactiveMode Always), and stdin is not a terminal');
    }
    const child = spawn(config.command, config.args, {
      env: { ...environment.variables, ...config.env, KUBERNETES_EXEC_INFO: info },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', environment.stderr],
      windowsHide: true,
    });
    const timeoutMs = environment.timeoutMs ?? (interactive ? INTERACTIVE_TIMEOUT_MS : TIMEOUT_MS);
    return parseExecCredential(await outputOf(child, timeoutMs), config.apiVersion);
  } catch (error) {
    const hint = config.installHint === undefined ? '' : `. ${config.installHint.trim().replaceAll(/\s+/g, ' ')}`;
    throw new Error(`the credential plugin ${config.command} ${wordsOf(error)}${hint}`, { cause: error });
  }
}

async function execInfo(config: ExecConfig, { server, cluster }: PluginCluster, interactive: boolean): Promise<string> {
  const spec = config.provideClusterInfo
    ? { cluster: await clusterInfo(server, cluster), interactive }
    : { interactive };
  return stringifyJson({ apiVersion: config.apiVersion, kind: 'ExecCredential', spec });
}

async function clusterInfo(server: string, cluster: JsonObject): Promise<JsonObject> {
  const authority = await dataOrFile(cluster, 'certificate-authority');
  const skipVerify = cluster['insecure-skip-tls-verify'] === true;
  const extensions = isJsonArray(cluster['extensions']) ? cluster['extensions'].filter(isJsonObject) : [];
  const own = extensions.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.['extension'];
  return {
    server,
    ...copyOf(cluster, ['tls-server-name', 'proxy-url']),
    ...(skipVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authority ? { 'certificate-authority-data': authority.toString('base64') } : {}),
    ...(cluster['disable-compression'] === true ? { 'disable-compression': true } : {}),
    ...(own === undefined ? {} : { config: own }),
  };
}

function copyOf(entry: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (textOf(entry, key) === undefined ? [] : [[key, entry[key]]])));
}

/** All of stdout of a process that ends well in time. */
function outputOf(child: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    const stop = (why: string): void => {
      child.kill('SIGKILL');
      // What it started may hold the pipe open for as long as it likes.
      child.stdout?.destroy();
      end(() => reject(new Error(why)));
    };
    const timer = setTimeout(() => stop(`did not end within ${Math.round(timeoutMs / 1_000)} s`), timeoutMs);
    child.stdout?.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > MAX_BYTES) stop('printed more than 1 MiB');
      else pieces.push(piece);
    });
    child.once('error', (error) => end(() => reject(error)));
    child.once('close', (code, signal) =>
      end(() => {
        if (code === 0) resolve(Buffer.concat(pieces).toString('utf8'));
        else
          reject(
            new Error(
              code === null ? `was ended by ${signal}` : `failed with exit code ${code}; run it by hand to see why`,
            ),
          );
      }),
    );
  });
}

function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'is not executable';
  return code === undefined && error instanceof Error ? error.message : `could not be run: ${String(code)}`;
}
