// One context of a kubeconfig → the server to talk to and whom to be. Wrong names are told with the names there are.

import type { JsonObject } from '../../kit/json.ts';
import { nearest } from '../../kit/suggest.ts';
import { type Entries, type Kubeconfig, textOf } from './kubeconfig-file.ts';
import { kubeconfigProblem } from './problems.ts';

export interface ConnectionTarget {
  readonly contextName: string;
  readonly clusterName: string;
  readonly namespace: string;
  /** Without credentials and without a final slash. */
  readonly server: string;
  /** As in the kubeconfig; paths are absolute. */
  readonly cluster: JsonObject;
  readonly user: JsonObject;
}

/** `origin`: the files, for messages. */
export function targetOf(config: Kubeconfig, contextName: string | undefined, origin: string): ConnectionTarget {
  const name = contextName ?? config.currentContext;
  if (name === undefined) {
    throw kubeconfigProblem(`${origin} has no current-context`, {
      detail: known('contexts', config.contexts),
      hint: 'choose one with --context, or set it with: kubectl config use-context NAME',
    });
  }
  const context = entryOf(config.contexts, { what: 'context', name, origin });
  const clusterName = textOf(context, 'cluster') ?? '';
  const userName = textOf(context, 'user');
  const cluster = entryOf(config.clusters, { what: 'cluster', name: clusterName, origin });
  const user = userName === undefined ? {} : entryOf(config.users, { what: 'user', name: userName, origin });
  return {
    contextName: name,
    clusterName,
    namespace: textOf(context, 'namespace') ?? 'default',
    server: serverOf(cluster, clusterName, origin),
    cluster,
    user,
  };
}

interface Wanted {
  readonly what: 'context' | 'cluster' | 'user';
  readonly name: string;
  readonly origin: string;
}

function entryOf(entries: Entries, { what, name, origin }: Wanted): JsonObject {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const near = nearest(name, entries.keys());
  throw kubeconfigProblem(`${origin} has no ${what} named "${name}"`, {
    detail: known(`${what}s`, entries),
    ...(near === undefined ? {} : { hint: `did you mean "${near}"?` }),
  });
}

function known(what: string, entries: Entries): string {
  const names = [...entries.keys()].sort();
  return names.length === 0 ? `there are no ${what} in it` : `${what} there: ${names.join(', ')}`;
}

function serverOf(cluster: JsonObject, name: string, origin: string): string {
  const text = textOf(cluster, 'server');
  if (text === undefined) throw kubeconfigProblem(`${origin}: cluster "${name}" has no server`);
  // "host:port" alone is http for kubectl; a parsed scheme of "host:" would be nonsense.
  const url = URL.canParse(text) && /^https?:\/\//.test(text) ? new URL(text) : undefined;
  if (url === undefined) {
    throw kubeconfigProblem(`${origin}: the server of cluster "${name}" is not an http or https address`);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
