// Errors of sockets, TLS and HTTP parsing, in words. The original stays in `cause`: code branches on its `code` only.

import { ConnectionError } from '../../ports/errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time limit',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half way and nothing came for too long',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_DESTROYED: 'the connection was closed on our side',
  UND_ERR_CLOSED: 'the connection was closed on our side',
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is not signed by a trusted authority",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is not signed by a trusted authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is not signed by a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server's certificate is not signed by a trusted authority",
  EPROTO: 'the TLS handshake failed (does the server speak https?)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak https',
  UND_ERR_PRX_TLS: "the proxy's certificate is for another name",
  UND_ERR_PRX_CONN: 'the proxy closed the connection before the tunnel was there',
  Z_DATA_ERROR: 'the compressed answer is damaged',
  Z_BUF_ERROR: 'the compressed answer ends too early',
};

/** The server's certificate is not one that we trust. Nothing was sent; the authority that we know may be out of date. */
export function isDistrust(error: unknown): boolean {
  return error instanceof ConnectionError && DISTRUST.has(codeOf(error.cause) ?? '');
}

const DISTRUST: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** `where`: the server without credentials. `request`: method and path. */
export function connectionError(error: unknown, where: string, request: string): ConnectionError {
  const code = codeOf(error);
  const notHttp = error instanceof Error && error.name === 'HTTPParserError';
  const refusal = proxyRefusal(error);
  const known = refusal ?? (notHttp ? 'the answer is not HTTP' : WORDS[code ?? '']);
  const words = known ?? (error instanceof Error ? error.message : String(error));
  return new ConnectionError(`${where}: ${words}${code === undefined ? '' : ` (${code})`}`, request, { cause: error });
}

/** undici has no code for a proxy that answers CONNECT, or a request, with anything but success. */
function proxyRefusal(error: unknown): string | undefined {
  const status =
    error instanceof Error ? /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message) : null;
  if (status === null) return undefined;
  return status[1] === '407' ? 'the proxy wants a user and a password (407)' : `the proxy refused (${status[1]})`;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
