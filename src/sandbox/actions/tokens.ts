// TokenRequest. The token has the form of a JSON Web Token and says whose it is, but nobody signed it: it opens nothing.

import { formatTime } from '../../kit/clock.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../kit/json.ts';
import type { KubeObject } from '../../model/object.ts';
import type { Core } from '../core.ts';
import { invalid, invalidValue, notFound } from '../http/status-error.ts';
import { type ObjectTarget, targetKey } from '../verbs/target.ts';

const ISSUER = 'https://kubernetes.default.svc';
const SHORTEST_S = 10 * 60;
const LONGEST_S = 2 ** 32;

export function issuedToken(core: Core, target: ObjectTarget, request: KubeObject): JsonObject {
  const account = core.store.collection(target.kind).get(targetKey(target));
  const spec: JsonObject = isJsonObject(request['spec']) ? request['spec'] : {};
  const seconds = Number(spec['expirationSeconds'] ?? 3600);
  checkDuration(seconds);
  if (!account) throw notFound(target.kind, target.name);
  const { name, namespace, uid } = account.object.metadata;
  const given = isJsonArray(spec['audiences']) ? spec['audiences'] : [];
  const audiences = given.length > 0 ? given : [ISSUER];
  const now = core.clock.now();
  const issued = Math.floor(now / 1000);
  const claims = {
    aud: audiences,
    exp: issued + seconds,
    iat: issued,
    iss: ISSUER,
    jti: core.random.uid(),
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    nbf: issued,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, uid, creationTimestamp: formatTime(now) },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: {
      token: `${part({ alg: 'none' })}.${part(claims)}.c2FuZGJveA`,
      expirationTimestamp: formatTime(now + seconds * 1000),
    },
  };
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function checkDuration(seconds: number): void {
  const limit = seconds < SHORTEST_S ? 'less than 10 minutes' : seconds > LONGEST_S ? 'larger than 2^32 seconds' : '';
  if (limit === '') return;
  const problem = invalidValue('spec.expirationSeconds', seconds, `may not specify a duration ${limit}`);
  throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [problem]);
}
