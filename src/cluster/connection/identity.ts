// The credentials of one kubeconfig user against one cluster, as the transport asks for them. Files (service account
// tokens, certificates) rotate on disk and plugins' tokens expire, so both are looked at again once a minute, and at
// once after a 401. Data that stands in the kubeconfig itself is read once.

import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kit/clock.ts';
import type { JsonObject } from '../../kit/json.ts';
import { type CredentialSource, type Credentials, sameTls, type TlsOptions } from '../transport/index.ts';
import { needsPlugin, openPluginAuth, type PluginAuth, type PluginCredentials } from './plugin-auth.ts';
import { type ConnectionTarget, textOf } from './target.ts';

const FRESH_MS = 60_000;
const FILE_KEYS = ['tokenFile', 'client-certificate', 'client-key'];

export function createIdentity(target: ConnectionTarget, clock: Pick<Clock, 'now'>): CredentialSource {
  return new Identity(target, clock);
}

class Identity implements CredentialSource {
  readonly #target: ConnectionTarget;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changes: boolean;
  #plugin: Promise<PluginAuth> | undefined;
  #kept: { readonly credentials: Credentials; readonly readAt: number } | undefined;
  /** Callers that ask while one reading is under way share it. */
  #reading: Promise<Credentials> | undefined;

  constructor(target: ConnectionTarget, clock: Pick<Clock, 'now'>) {
    this.#target = target;
    this.#clock = clock;
    const { user, cluster } = target;
    this.#changes =
      needsPlugin(user) ||
      FILE_KEYS.some((key) => textOf(user, key) !== undefined) ||
      textOf(cluster, 'certificate-authority') !== undefined;
  }

  async current(): Promise<Credentials> {
    const kept = this.#kept;
    if (kept === undefined) return this.#read();
    const fresh = !this.#changes || this.#clock.now() - kept.readAt < FRESH_MS;
    return fresh ? kept.credentials : this.#read();
  }

  async renew(refused: Credentials): Promise<Credentials | undefined> {
    const newer = this.#kept?.credentials;
    if (newer !== undefined && !sameCredentials(newer, refused)) return newer;
    if (!this.#changes) return undefined;
    if (this.#reading === undefined) this.#plugin = undefined;
    const read = await this.#read();
    return sameCredentials(read, refused) ? undefined : read;
  }

  #read(): Promise<Credentials> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<Credentials> {
    const { cluster, user, server } = this.#target;
    const plugin = needsPlugin(user) && textOf(user, 'token') === undefined ? await this.#askPlugin() : {};
    const [authorization, tls] = await Promise.all([
      authorizationOf(user, plugin),
      server.startsWith('https:') ? tlsOf(cluster, user, plugin) : {},
    ]);
    const credentials = { headers: authorization === undefined ? {} : { authorization }, tls };
    this.#kept = { credentials, readAt: this.#clock.now() };
    return credentials;
  }

  async #askPlugin(): Promise<PluginCredentials> {
    this.#plugin ??= openPluginAuth(this.#target.server, this.#target.user);
    return (await this.#plugin)();
  }
}

/** A token file wins over a token, as its content is the newer one; then user and password; then the plugin. */
async function authorizationOf(user: JsonObject, plugin: PluginCredentials): Promise<string | undefined> {
  const tokenFile = textOf(user, 'tokenFile');
  const token = tokenFile === undefined ? textOf(user, 'token') : (await bytesOfFile(tokenFile)).toString('utf8');
  if (token !== undefined) return `Bearer ${token.trim()}`;
  const name = textOf(user, 'username');
  if (name === undefined) return plugin.authorization;
  return `Basic ${Buffer.from(`${name}:${textOf(user, 'password') ?? ''}`).toString('base64')}`;
}

async function tlsOf(cluster: JsonObject, user: JsonObject, plugin: PluginCredentials): Promise<TlsOptions> {
  const skipVerify = cluster['insecure-skip-tls-verify'] === true;
  const servername = textOf(cluster, 'tls-server-name');
  const [ca, cert, key] = await Promise.all([
    skipVerify ? undefined : dataOrFile(cluster, 'certificate-authority'),
    plugin.cert ?? dataOrFile(user, 'client-certificate'),
    plugin.key ?? dataOrFile(user, 'client-key'),
  ]);
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    ...(servername === undefined ? {} : { servername }),
    ...(skipVerify ? { rejectUnauthorized: false } : {}),
  };
}

/** KEY-data (base64) wins over the file KEY. */
async function dataOrFile(entry: JsonObject, key: string): Promise<Buffer | undefined> {
  const data = textOf(entry, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64');
  const file = textOf(entry, key);
  return file === undefined ? undefined : bytesOfFile(file);
}

async function bytesOfFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`the credential file ${file} can't be read: ${code}`, { cause: error });
  }
}

function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.headers['authorization'] === b.headers['authorization'] && sameTls(a.tls, b.tls);
}
