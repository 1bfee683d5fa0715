// The credentials of one kubeconfig user against one cluster, as the transport asks for them. Files (service account
// tokens, certificates) rotate on disk and are looked at again once a minute; what a plugin gives holds until it expires;
// both are renewed after a 401. Data that stands in the kubeconfig itself is read once.
// Invariant: whatever the number of callers, one reading (one process of a plugin) is under way at a time.

import type { Clock } from '../../kit/clock.ts';
import type { JsonObject } from '../../kit/json.ts';
import { type CredentialSource, type Credentials, sameTls, type TlsOptions } from '../transport/index.ts';
import { bytesOfFile, dataOrFile } from './credential-files.ts';
import { type ExecConfig, execConfigOf } from './exec-config.ts';
import { type PluginEnvironment, runExecPlugin } from './exec-plugin.ts';
import { type Impersonation, type ImpersonationHeaders, impersonationHeaders } from './impersonation.ts';
import { textOf } from './kubeconfig-file.ts';
import { oidcCredentials } from './oidc.ts';
import type { PluginCredentials } from './plugin-credentials.ts';
import type { ConnectionTarget } from './target.ts';

export interface IdentityOptions {
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly plugin: PluginEnvironment;
  /** From flags; laid over the kubeconfig's. */
  readonly impersonation: Impersonation;
}

const FRESH_MS = 60_000;
/** A renewal that brought nothing new is not tried again for so long: a wrong role must not start plugins in a row. */
const RENEWAL_PAUSE_MS = 5_000;
const FILE_KEYS = ['tokenFile', 'client-certificate', 'client-key'];
const NOTHING: PluginCredentials = {};

/** Checks the user entry. Throws DiagnosticError; nothing is run or read yet. */
export function createIdentity(target: ConnectionTarget, options: IdentityOptions): CredentialSource {
  return new Identity(target, options);
}

interface Kept {
  readonly credentials: Credentials;
  /** What files held is read again from then on: steady time. */
  readonly freshUntil: number;
  /** When the provider said that it expires: clock time. */
  readonly expires: number;
}

class Identity implements CredentialSource {
  readonly #target: ConnectionTarget;
  readonly #options: IdentityOptions;
  readonly #headers: ImpersonationHeaders;
  readonly #exec: ExecConfig | undefined;
  readonly #origin: string;
  /** Something on disk, or a provider's answer, may change. */
  readonly #fileBased: boolean;
  #plugin: PluginCredentials | undefined;
  #kept: Kept | undefined;
  #reading: Promise<Credentials> | undefined;
  #renewedInVainAt = Number.NEGATIVE_INFINITY;

  constructor(target: ConnectionTarget, options: IdentityOptions) {
    const { user, cluster, contextName } = target;
    this.#target = target;
    this.#options = options;
    this.#origin = `the user of context "${contextName}"`;
    this.#headers = impersonationHeaders(user, options.impersonation, this.#origin);
    this.#exec = textOf(user, 'token') === undefined ? execConfigOf(user, this.#origin) : undefined;
    oidcCredentials(user, this.#origin, options.clock.now());
    this.#fileBased =
      FILE_KEYS.some((key) => textOf(user, key) !== undefined) ||
      textOf(cluster, 'certificate-authority') !== undefined;
  }

  async current(): Promise<Credentials> {
    const kept = this.#kept;
    const { clock } = this.#options;
    const holds = kept !== undefined && clock.steady() < kept.freshUntil && clock.now() < kept.expires;
    return holds ? kept.credentials : this.#read();
  }

  async renew(refused: Credentials): Promise<Credentials | undefined> {
    const newer = this.#kept?.credentials;
    if (newer !== undefined && !sameCredentials(newer, refused)) return newer;
    if (!this.#fileBased && this.#exec === undefined) return undefined;
    if (this.#reading === undefined && this.#exec !== undefined) {
      if (this.#options.clock.steady() - this.#renewedInVainAt < RENEWAL_PAUSE_MS) return undefined;
      this.#plugin = undefined;
    }
    const read = await this.#read();
    if (!sameCredentials(read, refused)) return read;
    this.#renewedInVainAt = this.#options.clock.steady();
    return undefined;
  }

  #read(): Promise<Credentials> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<Credentials> {
    const { cluster, user, server } = this.#target;
    const plugin = await this.#askPlugin();
    const [authorization, tls] = await Promise.all([
      authorizationOf(user, plugin),
      server.startsWith('https:') ? tlsOf(cluster, user, plugin) : {},
    ]);
    const headers = { ...this.#headers, ...(authorization === undefined ? {} : { authorization }) };
    const credentials = { headers, tls };
    const freshUntil = this.#fileBased ? this.#options.clock.steady() + FRESH_MS : Number.POSITIVE_INFINITY;
    this.#kept = { credentials, freshUntil, expires: plugin.expires ?? Number.POSITIVE_INFINITY };
    return credentials;
  }

  /** What it gave last time, while that holds. */
  async #askPlugin(): Promise<PluginCredentials> {
    const { clock, plugin } = this.#options;
    const known = this.#plugin;
    if (known !== undefined && clock.now() < (known.expires ?? Number.POSITIVE_INFINITY)) return known;
    this.#plugin =
      this.#exec === undefined
        ? (oidcCredentials(this.#target.user, this.#origin, clock.now()) ?? NOTHING)
        : await runExecPlugin(this.#exec, this.#target, plugin);
    return this.#plugin;
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

function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.headers['authorization'] === b.headers['authorization'] && sameTls(a.tls, b.tls);
}
