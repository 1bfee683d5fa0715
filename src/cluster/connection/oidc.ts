// Users with an auth-provider. "oidc": its id-token is sent for as long as it is valid. It is never refreshed here: identity
// providers take a refresh token once, and one that was used and not written back into the kubeconfig locks the user's
// kubectl out. @kubernetes/client-node does just that (and refreshes on every use). The other providers are gone from
// kubectl too.

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../kit/json.ts';
import { textOf } from './kubeconfig-file.ts';
import type { PluginCredentials } from './plugin-credentials.ts';
import { unsupportedProblem } from './problems.ts';

const INSTEAD =
  'use a credential plugin, such as kubelogin: users[].user.exec with the command kubelogin or kubectl-oidc_login';

/** The id-token; undefined: this user has no auth-provider. `now`: epoch milliseconds. Throws DiagnosticError. */
export function oidcCredentials(user: JsonObject, origin: string, now: number): PluginCredentials | undefined {
  const provider = user['auth-provider'] ?? null;
  if (provider === null) return undefined;
  const name = isJsonObject(provider) ? (textOf(provider, 'name') ?? '') : '';
  if (!isJsonObject(provider) || name !== 'oidc') {
    throw unsupportedProblem(`${origin}: the auth-provider "${name}" is not supported`, INSTEAD);
  }
  const config = provider['config'];
  const token = isJsonObject(config) ? textOf(config, 'id-token') : undefined;
  if (token === undefined) throw unsupportedProblem(`${origin}: the auth-provider oidc has no id-token`, INSTEAD);
  const expires = expiryOf(token);
  if (expires !== undefined && expires <= now) {
    throw unsupportedProblem(
      `${origin}: the id-token of its auth-provider oidc has expired, and this version does not refresh it`,
      `any kubectl command with this context refreshes it; for good, ${INSTEAD}`,
    );
  }
  return { authorization: `Bearer ${token}`, ...(expires === undefined ? {} : { expires }) };
}

/** `exp` of a JSON Web Token in epoch milliseconds; undefined when it can't be read: the server will judge. */
function expiryOf(token: string): number | undefined {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  let claims: JsonValue;
  try {
    claims = parseJson(payload);
  } catch {
    return undefined;
  }
  const exp = isJsonObject(claims) ? claims['exp'] : undefined;
  return typeof exp === 'number' ? exp * 1_000 : undefined;
}
