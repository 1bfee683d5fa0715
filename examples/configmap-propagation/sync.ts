// Copies one ConfigMap to the namespaces that the parent lists.
// - A namespace that is not there is waited for: it is a related object as well, so that its coming makes the hook be asked.
// - While the source is missing the copies stay as they are: a source that is replaced takes nobody's settings away.

import { isDeepStrictEqual } from 'node:util';
import type { CompositeRequest, CompositeResponse, Condition, DesiredObject, KubeObject } from 'metactl/sdk';

interface Propagation extends KubeObject {
  readonly spec: {
    readonly sourceName: string;
    readonly sourceNamespace: string;
    readonly targetNamespaces: readonly string[];
  };
}

type ConfigMap = KubeObject & { readonly data?: object; readonly binaryData?: object };

export function customize({ parent }: Pick<CompositeRequest<Propagation>, 'parent'>): object {
  const { sourceName, sourceNamespace, targetNamespaces } = parent.spec;
  return {
    relatedResources: [
      { apiVersion: 'v1', resource: 'configmaps', namespace: sourceNamespace, names: [sourceName] },
      { apiVersion: 'v1', resource: 'namespaces', names: targetNamespaces },
    ],
  };
}

export function sync({ parent, children, related }: CompositeRequest<Propagation>): CompositeResponse {
  const { sourceName, sourceNamespace, targetNamespaces } = parent.spec;
  const source = related['ConfigMap.v1']?.[`${sourceNamespace}/${sourceName}`];
  const present = related['Namespace.v1'] ?? {};
  const targets = targetNamespaces.filter((name) => name !== sourceNamespace);
  const copies = Object.values(children['ConfigMap.v1'] ?? {});
  const desired = targets
    .filter((name) => name in present)
    .map((namespace) => copyOf(source ?? at(copies, namespace), sourceName, namespace))
    .filter((copy) => copy !== undefined);
  const actual = desired.filter((copy) => holds(at(copies, copy.metadata.namespace), source)).length;
  return {
    status: {
      expectedCopies: targets.length,
      actualCopies: actual,
      conditions: [
        ready(
          source,
          targets.filter((name) => !(name in present)),
          targets.length - actual,
        ),
      ],
    },
    children: desired,
  };
}

function copyOf(source: ConfigMap | undefined, name: string, namespace: string): DesiredObject | undefined {
  if (source === undefined) return undefined;
  const { data, binaryData } = source;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace },
    ...(data ? { data } : {}),
    ...(binaryData ? { binaryData } : {}),
  };
}

const at = (copies: readonly KubeObject[], namespace: string | undefined): KubeObject | undefined =>
  copies.find(({ metadata }) => metadata.namespace === namespace);

function holds(copy: ConfigMap | undefined, source: ConfigMap | undefined): boolean {
  return (
    copy !== undefined &&
    source !== undefined &&
    isDeepStrictEqual([copy.data ?? {}, copy.binaryData ?? {}], [source.data ?? {}, source.binaryData ?? {}])
  );
}

function ready(source: KubeObject | undefined, missing: readonly string[], open: number): Condition {
  const not = (reason: string, message: string): Condition => ({ type: 'Ready', status: 'False', reason, message });
  if (!source) return not('SourceMissing', 'the source is not there');
  if (missing.length > 0) return not('NamespaceMissing', `there is no namespace ${missing.join(', ')}`);
  if (open > 0) return not('Copying', `copies to be written: ${open}`);
  return { type: 'Ready', status: 'True', reason: 'Copied', message: 'every copy has the content of the source' };
}
