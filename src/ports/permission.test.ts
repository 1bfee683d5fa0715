import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from './errors.ts';
import { missingPermission } from './permission.ts';

const refused = (message: string, code = 403): ApiError =>
  new ApiError({ code, reason: 'Forbidden', message }, 'GET /x');

/** Texts as a real server writes them. */
const CASES: { why: string; message: string; summary: string; detail?: string; hint: string }[] = [
  {
    why: 'a list of everything',
    message:
      'configmaps is forbidden: User "viewer" cannot list resource "configmaps" in API group "" at the cluster scope',
    summary: 'user "viewer" may not list configmaps in the cluster as a whole',
    hint: 'A ClusterRole needs the rule {apiGroups: [""], resources: ["configmaps"], verbs: ["list"]}. With rights in one namespace only, say which: -n NAMESPACE.',
  },
  {
    why: 'a write in one namespace, of a group and a subresource',
    message:
      'deployments.apps "a" is forbidden: User "viewer" cannot update resource "deployments/status" in API group "apps" in the namespace "prod"',
    summary: 'user "viewer" may not update deployments/status of apps in namespace "prod"',
    hint: 'A Role in namespace "prod" needs the rule {apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["update"]}.',
  },
  {
    why: 'a reason of the authorizer',
    message:
      'users "jane" is forbidden: User "a b" cannot impersonate resource "users" in API group "" at the cluster scope: RBAC: role "x" not found',
    summary: 'user "a b" may not impersonate users in the cluster as a whole',
    detail: 'RBAC: role "x" not found',
    hint: 'A ClusterRole needs the rule {apiGroups: [""], resources: ["users"], verbs: ["impersonate"]}.',
  },
  {
    why: 'a path that is no resource',
    message: 'forbidden: User "system:anonymous" cannot get path "/apis"',
    summary: 'user "system:anonymous" may not get the path /apis',
    hint: 'A ClusterRole needs the rule {nonResourceURLs: ["/apis"], verbs: ["get"]}.',
  },
];

describe('missing permissions', () => {
  for (const { why, message, ...want } of CASES) {
    it(why, () =>
      assert.deepEqual(missingPermission(refused(message)), { severity: 'error', code: 'forbidden', ...want }),
    );
  }

  for (const [why, error] of [
    [
      'a namespace on its way out',
      refused(
        'configmaps "a" is forbidden: unable to create new content in namespace x because it is being terminated',
      ),
    ],
    ['a quota', refused('pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1')],
    ['another status with such a text', refused(CASES[0]?.message ?? '', 401)],
    ['no answer at all', new Error(CASES[0]?.message)],
  ] as const) {
    it(`${why} is none`, () => assert.equal(missingPermission(error), undefined));
  }
});
