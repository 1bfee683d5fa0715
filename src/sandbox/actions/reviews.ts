// Reviews: who may do what, and who is asking. Everyone may do everything here: the sandbox asks for no credentials.

import { formatTime } from '../../kit/clock.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import type { ResourceRoute } from '../http/route.ts';
import { badRequest, internal, invalid, invalidValue } from '../http/status-error.ts';

const USER = {
  username: 'metactl-sandbox',
  uid: 'metactl-sandbox',
  groups: ['system:masters', 'system:authenticated'],
};
const ALLOWED = { allowed: true, reason: 'the sandbox allows everything' };

export function answeredReview(core: Core, { kind, namespace }: ResourceRoute, review: KubeObject): JsonObject {
  const spec: JsonObject = isJsonObject(review['spec']) ? review['spec'] : {};
  const object = (more: JsonObject): JsonObject => ({ kind: review.kind, apiVersion: review.apiVersion, ...more });
  switch (kind.kind) {
    case 'SelfSubjectAccessReview':
      checkAttributes(spec);
      return object({ metadata: {}, spec, status: ALLOWED });
    case 'SubjectAccessReview':
    case 'LocalSubjectAccessReview':
      checkAttributes(spec);
      checkUser(spec);
      return object({ metadata: namespace === undefined ? {} : { namespace }, spec, status: ALLOWED });
    case 'SelfSubjectRulesReview':
      if (!spec['namespace']) throw badRequest('no namespace on request');
      return object({ metadata: {}, spec: {}, status: RULES });
    case 'SelfSubjectReview':
      return object({ metadata: { creationTimestamp: formatTime(core.clock.now()) }, status: { userInfo: USER } });
    case 'TokenReview':
      if (!spec['token']) throw badRequest('token is required for TokenReview in authentication');
      return object({ metadata: {}, spec, status: { user: {}, error: 'the sandbox checks no tokens' } });
    default:
      throw internal(`the sandbox answers no ${kind.kind}`);
  }
}

const RULES: JsonObject = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

const GROUP = { group: 'authorization.k8s.io', kind: '' };
const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

/** The server's validation names neither kind nor name. */
function checkAttributes({ resourceAttributes, nonResourceAttributes }: JsonObject): void {
  if (isSet(resourceAttributes) !== isSet(nonResourceAttributes)) return;
  if (!isSet(resourceAttributes)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    throw invalid(GROUP, '', [invalidValue('spec.resourceAttributes', null, why)]);
  }
  const { path = '', verb = '' } = isJsonObject(nonResourceAttributes) ? nonResourceAttributes : {};
  const why = 'cannot be specified in combination with resourceAttributes';
  throw invalid(GROUP, '', [invalidValue('spec.nonResourceAttributes', { Path: path, Verb: verb }, why)]);
}

function checkUser({ user, groups }: JsonObject): void {
  if (user || (isJsonArray(groups) && groups.length > 0)) return;
  throw invalid(GROUP, '', [invalidValue('spec.user', '', 'at least one of user or group must be specified')]);
}
