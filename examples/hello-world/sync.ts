// From a HelloWorld to its pod. Called with what is there, answers what shall be there; metactl does the rest.

import type { CompositeRequest, CompositeResponse, KubeObject } from 'metactl/sdk';

type HelloWorld = KubeObject & { readonly spec?: { readonly who?: string } };

export function sync(request: CompositeRequest<HelloWorld>): CompositeResponse {
  const { parent, children } = request;
  const who = parent.spec?.who ?? 'World';
  return {
    status: { pods: Object.keys(children['Pod.v1'] ?? {}).length },
    children: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: parent.metadata.name ?? '' },
        spec: {
          restartPolicy: 'OnFailure',
          containers: [{ name: 'hello', image: 'busybox:1.37', command: ['echo', `Hello, ${who}!`] }],
        },
      },
    ],
  };
}
