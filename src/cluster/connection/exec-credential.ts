// What a credential plugin prints: an ExecCredential. It holds credentials, so no message here quotes any of it.

import { isJsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { textOf } from './kubeconfig-file.ts';
import type { PluginCredentials } from './plugin-credentials.ts';

/** Throws an Error that goes on from "the credential plugin NAME ". */
export function parseExecCredential(text: string, apiVersion: string): PluginCredentials {
  const credential = objectOf(text);
  const given = textOf(credential, 'apiVersion');
  if (textOf(credential, 'kind') !== 'ExecCredential') throw new Error('printed JSON that is not an ExecCredential');
  if (given !== apiVersion) {
    const what = given !== undefined && /^[\w./-]{1,80}$/.test(given) ? given : 'no apiVersion';
    throw new Error(`printed an ExecCredential of ${what}, but is configured for ${apiVersion}`);
  }
  const status = credential['status'];
  if (!isJsonObject(status)) throw new Error('printed an ExecCredential without a status');
  const token = textOf(status, 'token');
  const cert = textOf(status, 'clientCertificateData');
  const key = textOf(status, 'clientKeyData');
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error(
      `gave a client ${cert === undefined ? 'key without its certificate' : 'certificate without its key'}`,
    );
  }
  if (token === undefined && cert === undefined) throw new Error('gave neither a token nor a client certificate');
  const expires = expiryOf(status['expirationTimestamp']);
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(cert === undefined ? {} : { cert: Buffer.from(cert) }),
    ...(key === undefined ? {} : { key: Buffer.from(key) }),
    ...(expires === undefined ? {} : { expires }),
  };
}

function objectOf(text: string) {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    // The parser's message quotes the text.
    throw new Error(text.trim() === '' ? 'printed nothing' : 'printed something that is not JSON');
  }
  if (!isJsonObject(value)) throw new Error('printed JSON that is not an ExecCredential');
  return value;
}

/** Epoch milliseconds. */
function expiryOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Error('gave an expirationTimestamp that is not a time');
  return time;
}
