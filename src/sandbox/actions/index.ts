// Requests that ask or do something and keep no object of their own: reviews, tokens, evictions, bindings.

import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { type Answer, jsonAnswer } from '../http/answer.ts';
import { decodeObject, parseBody } from '../http/decode.ts';
import { type FieldValidation, writeOptions } from '../http/query.ts';
import type { HandledRequest } from '../http/resource-handler.ts';
import type { ResourceRoute } from '../http/route.ts';
import { methodNotAllowed, unknownResource } from '../http/status-error.ts';
import { isReview, type ResourceKind, versionOf } from '../registry/resource-kind.ts';
import { bindPod, evictPod } from './pods.ts';
import { answeredReview } from './reviews.ts';
import { issuedToken } from './tokens.ts';

/** undefined: the request is about objects. */
export function handleAction(core: Core, route: ResourceRoute, request: HandledRequest): Answer | undefined {
  const { kind, version, subresource = '' } = route;
  if (isReview(kind)) {
    if (route.name !== undefined) throw unknownResource();
    return posted(request, kind, version, (body) => answeredReview(core, route, body));
  }
  if (!versionOf(kind, version)?.actions?.includes(subresource)) return undefined;
  const namespace = route.namespace ?? '';
  const target = { kind, version, namespace, name: route.name ?? '' };
  const sent = SENT[subresource];
  if (!sent) throw unknownResource();
  return posted(request, { ...kind, ...sent, versions: [{ name: 'v1', status: false }] }, 'v1', (body, dryRun) => {
    if (subresource === 'token') return issuedToken(core, target, body);
    const act = subresource === 'eviction' ? evictPod : bindPod;
    act(core, target, { body, dryRun });
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  });
}

/** What the body of each action is. */
const SENT: Readonly<Record<string, Pick<ResourceKind, 'group' | 'kind'>>> = {
  binding: { group: '', kind: 'Binding' },
  eviction: { group: 'policy', kind: 'Eviction' },
  token: { group: 'authentication.k8s.io', kind: 'TokenRequest' },
};

function posted(
  { method, query, text, problems = [] }: HandledRequest,
  kind: ResourceKind,
  version: string,
  answer: (body: KubeObject, dryRun: boolean) => object,
): Answer {
  if (method !== 'POST') throw methodNotAllowed();
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions');
  const warnings: string[] = [];
  const fields: { validation: FieldValidation; warnings: string[]; problems: readonly string[] } = {
    validation: fieldValidation,
    warnings,
    problems,
  };
  const target = { kind, version, fields };
  const made = jsonAnswer(201, answer(decodeObject(target, parseBody(target, text), text), dryRun));
  if (warnings.length === 0) return made;
  const warning = warnings.map((one) => `299 - ${JSON.stringify(one)}`).join(', ');
  return { ...made, headers: { ...made.headers, warning } };
}
