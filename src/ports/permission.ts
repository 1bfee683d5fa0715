// A request that the API server's authorizer refused, as the permission that is missing. The text of such an answer is the
// only place where the server names verb, resource and namespace; it has the same form whoever decides (RBAC, a webhook).
// Other answers of 403 (admission, quota, a namespace on its way out) are not about permissions and have other texts.

import type { Diagnostic } from '../model/diagnostic.ts';
import { ApiError } from './errors.ts';

const RESOURCE =
  /User "(.*)" cannot (\S+) resource "([^"]+)" in API group "([^"]*)" (?:in the namespace "([^"]+)"|at the cluster scope)(?:: (.+))?$/s;
const PATH = /User "(.*)" cannot (\S+) path "([^"]+)"(?:: (.+))?$/s;

/**
 * undefined: not an error about a permission. Names no object, so that every request which lacks the same permission
 * gives an equal diagnostic.
 */
export function missingPermission(error: unknown): Diagnostic | undefined {
  if (!(error instanceof ApiError) || error.status.code !== 403) return undefined;
  const { message } = error.status;
  const path = PATH.exec(message);
  if (path) {
    const [, user, verb, where, why] = path;
    return denied(`user "${user}" may not ${verb} the path ${where}`, why, nonResourceHint(where, verb));
  }
  const found = RESOURCE.exec(message);
  if (!found) return undefined;
  const [, user = '', verb = '', resource = '', group = '', namespace, why] = found;
  const place = namespace === undefined ? 'in the cluster as a whole' : `in namespace "${namespace}"`;
  const what = group === '' ? resource : `${resource} of ${group}`;
  return denied(`user "${user}" may not ${verb} ${what} ${place}`, why, hintFor({ verb, resource, group, namespace }));
}

function denied(summary: string, detail: string | undefined, hint: string): Diagnostic {
  return { severity: 'error', code: 'forbidden', summary, ...(detail === undefined ? {} : { detail }), hint };
}

interface Denied {
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
  readonly namespace: string | undefined;
}

function hintFor({ verb, resource, group, namespace }: Denied): string {
  const role = namespace === undefined ? 'A ClusterRole' : `A Role in namespace "${namespace}"`;
  const rule = `{apiGroups: ["${group}"], resources: ["${resource}"], verbs: ["${verb}"]}`;
  const narrower = namespace === undefined && (verb === 'list' || verb === 'watch');
  return `${role} needs the rule ${rule}.${narrower ? ' With rights in one namespace only, say which: -n NAMESPACE.' : ''}`;
}

function nonResourceHint(path: string | undefined, verb: string | undefined): string {
  return `A ClusterRole needs the rule {nonResourceURLs: ["${path}"], verbs: ["${verb}"]}.`;
}
