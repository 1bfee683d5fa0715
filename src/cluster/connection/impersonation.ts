// To act as somebody else: the kubeconfig's as, as-groups, as-uid, as-user-extra, each replaced by its flag where there is
// one, as headers. Leaving one of them out would act with other rights than the user asked for, so what can't be read is
// an error.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import { kubeconfigProblem } from './problems.ts';

export interface Impersonation {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Header lines of Kubernetes' impersonation; a value that is a list is that many lines. */
export type ImpersonationHeaders = Readonly<Record<string, string | readonly string[]>>;

/** `origin`: where the user entry stands, for messages. Throws DiagnosticError. */
export function impersonationHeaders(entry: JsonObject, flags: Impersonation, origin: string): ImpersonationHeaders {
  const wanted = overlaid(impersonationOf(entry, origin), flags);
  const { user, uid, groups = [], extra = {} } = wanted;
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return {};
    throw kubeconfigProblem('groups, a UID or extra values are to be impersonated, but no user', {
      hint: 'name the user too: --as NAME, or "as" in the kubeconfig',
    });
  }
  return {
    'impersonate-user': headerText(user),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups.map(headerText) }),
    ...(uid === undefined ? {} : { 'impersonate-uid': headerText(uid) }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`impersonate-extra-${escapeKey(key)}`, values.map(headerText)]),
    ),
  };
}

function impersonationOf(entry: JsonObject, origin: string): Impersonation {
  const wrong = (key: string, what: string): never => {
    throw kubeconfigProblem(`${origin}: "${key}" is not ${what}`);
  };
  const text = (key: string): string | undefined => {
    const value = entry[key] ?? '';
    return typeof value === 'string' ? value || undefined : wrong(key, 'a text');
  };
  const user = text('as');
  const uid = text('as-uid');
  const groups = entry['as-groups'] ?? [];
  const extra = entry['as-user-extra'] ?? {};
  if (!isTexts(groups)) return wrong('as-groups', 'a list of texts');
  if (!isJsonObject(extra) || !Object.values(extra).every(isTexts))
    return wrong('as-user-extra', 'a map of lists of texts');
  return {
    ...(user === undefined ? {} : { user }),
    ...(uid === undefined ? {} : { uid }),
    groups,
    extra: extra as Record<string, readonly string[]>,
  };
}

/** Field by field, as kubectl does it. */
function overlaid(below: Impersonation, flags: Impersonation): Impersonation {
  const user = flags.user ?? below.user;
  const uid = flags.uid ?? below.uid;
  const groups = flags.groups?.length ? flags.groups : (below.groups ?? []);
  return {
    ...(user === undefined ? {} : { user }),
    ...(uid === undefined ? {} : { uid }),
    groups,
    extra: { ...below.extra, ...flags.extra },
  };
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}

/** UTF-8 as Go sends it; undici takes one character a byte. */
function headerText(value: string): string {
  if (/[\0\r\n]/.test(value)) throw kubeconfigProblem('a name to be impersonated has a line break in it');
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** Lower case, as the server makes it anyway; characters that no header name may have are percent-encoded. */
function escapeKey(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[a-z0-9!#$&'*+.^_`|~-]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
