// Credentials that a program or an identity provider gives (exec plugins, OIDC): @kubernetes/client-node does this part.
// It is the only place that loads it (340 ms, 60 MB), and only for users that need it. Hardened in a later issue:
// KUBERNETES_EXEC_INFO, interactiveMode, one process for concurrent calls.

import type { RequestOptions } from 'node:https';
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { textOf } from './target.ts';

export interface PluginCredentials {
  /** The whole Authorization header. */
  readonly authorization?: string;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export type PluginAuth = () => Promise<PluginCredentials>;

export function needsPlugin(user: JsonObject): boolean {
  return isJsonObject(user['exec']) || isJsonObject(user['auth-provider']);
}

/** A new one forgets what was kept: that is how credentials are renewed after a 401. */
export async function openPluginAuth(server: string, user: JsonObject): Promise<PluginAuth> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromOptions({
    // No TLS is done with this: skipTLSVerify only keeps client-node from refusing an http server.
    clusters: [{ name: 'cluster', server, skipTLSVerify: true }],
    users: [{ name: 'user', exec: user['exec'], authProvider: user['auth-provider'] }],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
    currentContext: 'context',
  });
  return async () => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new Error(pluginFailure(user, error));
    }
    const header = (options.headers as Record<string, unknown> | undefined)?.['Authorization'];
    return {
      ...(typeof header === 'string' ? { authorization: header.trim() } : {}),
      ...bytes('cert', options.cert),
      ...bytes('key', options.key),
    };
  };
}

function bytes<K extends string>(name: K, value: unknown): { [P in K]?: Buffer } {
  const buffer = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.isBuffer(buffer) ? ({ [name]: buffer } as { [P in K]?: Buffer }) : {};
}

/** Neither the plugin's output nor a parser's message, which quotes it, may stand in an error: it may be a token. */
function pluginFailure(user: JsonObject, error: unknown): string {
  const exec = user['exec'];
  const who = isJsonObject(exec) ? `the credential plugin ${textOf(exec, 'command') ?? ''}` : 'the auth provider';
  if (error instanceof SyntaxError || error instanceof TypeError) return `${who} printed no usable ExecCredential`;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `${who} failed${code}; run it by hand to see why`;
}
