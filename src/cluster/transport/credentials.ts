// What the transport must know of an identity. Where it comes from (kubeconfig, plugin, service account) is connection/'s.

/** Arguments of node:tls; a `ca`, `cert` or `key` is PEM. Empty for a plain http server. */
export interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface Credentials {
  /**
   * Sent with every request; lower-case names. A list is sent as that many header lines: groups that were joined by
   * commas would be one group (undici does so, on HTTP/1.1 only: its HTTP/2 and fetch join them). Secret: never part of an
   * error or a log line.
   */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: TlsOptions;
}

export interface CredentialSource {
  /** What to send now; cheap, called for every request. Throws an error whose message holds no secret. */
  current(): Promise<Credentials>;
  /** The server refused `refused` (401): newer ones, or undefined when there are none to be had. */
  renew(refused: Credentials): Promise<Credentials | undefined>;
}

export function sameTls(a: TlsOptions, b: TlsOptions): boolean {
  return (
    sameBytes(a.ca, b.ca) &&
    sameBytes(a.cert, b.cert) &&
    sameBytes(a.key, b.key) &&
    a.servername === b.servername &&
    a.rejectUnauthorized === b.rejectUnauthorized
  );
}

function sameBytes(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b?.equals(a) === true);
}
