// What the generators of the sandbox's data read from a running kube-apiserver.

import { connect } from '../../src/cluster/index.ts';
import type { JsonObject } from '../../src/kit/json.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { realClock } from '../../src/testing/real-clock.ts';
import { type DiscoveryList, isBuiltInGroup } from './sandbox-resources.ts';
import type { SourceDocument } from './sandbox-schemas.ts';

export interface KubeSource {
  /** "v1.36.3" */
  readonly version: string;
  readonly core: DiscoveryList;
  readonly groups: DiscoveryList;
  readonly documents: readonly SourceDocument[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** "api/v1" and "apis/apps/v1": the documents of a version. */
const OF_A_VERSION = /^(?:api|apis\/([^/]+))\/([^/]+)$/;

/** Throws when the server can't be reached or refuses. */
export async function readKubeSource(kubeconfig: string): Promise<KubeSource> {
  const connection = await connect({ kubeconfig, variables: {}, clock: realClock });
  if (!connection) throw new Error(`${kubeconfig} leads nowhere`);
  const { transport } = connection;
  try {
    const { gitVersion } = await read<{ gitVersion: string }>(transport, '/version');
    const core = await read<DiscoveryList>(transport, '/api', AGGREGATED);
    const before = await groupsOfDefinitions(transport);
    const served = await read<DiscoveryList>(transport, '/apis', AGGREGATED);
    const defined = new Set([...before, ...(await groupsOfDefinitions(transport))]);
    const items = served.items.filter(({ metadata }) => !defined.has(metadata.name ?? ''));
    return { version: gitVersion, core, groups: { items }, documents: await readDocuments(transport, defined) };
  } finally {
    await transport.close();
  }
}

/** Groups of CRDs: some end in .k8s.io like those of the server itself. They come and go while this reads. */
async function groupsOfDefinitions(transport: Transport): Promise<string[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { items } = await read<{ items: readonly { spec: { group: string } }[] }>(transport, path);
  return items.map(({ spec }) => spec.group);
}

async function readDocuments(transport: Transport, defined: ReadonlySet<string>): Promise<SourceDocument[]> {
  const { paths } = await read<{ paths: Record<string, { serverRelativeURL: string }> }>(transport, '/openapi/v3');
  const documents: SourceDocument[] = [];
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    const [, group = '', version] = OF_A_VERSION.exec(path) ?? [];
    if (version === undefined || path.startsWith('.') || !isBuiltInGroup(group) || defined.has(group)) continue;
    const document = await read<{ components: { schemas?: Record<string, JsonObject> } }>(transport, serverRelativeURL);
    documents.push({ group, version, schemas: document.components.schemas ?? {} });
  }
  return documents;
}

async function read<T>(transport: Transport, path: string, accept = 'application/json'): Promise<T> {
  const response = await transport.request({ method: 'GET', path, headers: { accept } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path}: HTTP status ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as T;
}
