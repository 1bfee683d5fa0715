import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '../kit/json.ts';
import { detectFork, forkVerdict, type Variables } from './fork.ts';

const repo = (full_name: string, fork = false): JsonValue => ({ full_name, fork });
const pull = (head: JsonValue): JsonValue => ({ pull_request: { head: { repo: head }, base: { repo: repo('o/r') } } });
const github = (event: string): Variables => ({ GITHUB_EVENT_NAME: event, GITHUB_REPOSITORY: 'o/r' });
const run = (event: string, head: string): JsonValue => ({
  workflow_run: { event, head_repository: repo(head), repository: repo('o/r') },
});
const gitlab = (source: string | undefined): Variables => ({
  GITLAB_CI: 'true',
  CI_MERGE_REQUEST_IID: '1',
  CI_PROJECT_PATH: 'g/p',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: source,
});
const buildkite = (source: string): Variables => ({
  BUILDKITE_PULL_REQUEST: '7',
  BUILDKITE_REPO: 'git@github.com:o/r.git',
  BUILDKITE_PULL_REQUEST_REPO: source,
});

/** fork: it says so. unsure: counts as a fork. same, none: no fork. */
const CASES: readonly [string, 'fork' | 'unsure' | 'same' | 'none', Variables, JsonValue?][] = [
  ['a workstation', 'none', {}],
  ['CI=true alone says nothing', 'none', { CI: 'true' }],
  ['GitHub: a push', 'none', github('push'), {}],
  ['GitHub: the merge queue merges what was approved', 'none', github('merge_group'), {}],
  ['GitHub: a fork', 'fork', github('pull_request'), pull(repo('x/r', true))],
  ['GitHub: a fork, with the secrets of the base', 'fork', github('pull_request_target'), pull(repo('x/r', true))],
  ['GitHub: the same repository', 'same', github('pull_request'), pull(repo('O/R'))],
  ['GitHub: the base is a fork itself', 'same', github('pull_request'), pull(repo('o/r', true))],
  ['GitHub: the fork was deleted', 'fork', github('pull_request'), pull(null)],
  ['GitHub: no event file', 'unsure', github('pull_request')],
  ['GitHub: an event file without its parts', 'unsure', github('pull_request'), { pull_request: [] }],
  ['GitHub: a review', 'fork', github('pull_request_review'), pull(repo('x/r'))],
  ['GitHub: a comment on a pull request', 'unsure', github('issue_comment'), { issue: { pull_request: {} } }],
  ['GitHub: a comment on an issue', 'same', github('issue_comment'), { issue: {} }],
  ["GitHub: after a fork's run", 'fork', github('workflow_run'), run('pull_request', 'x/r')],
  ['GitHub: after a run of its own', 'same', github('workflow_run'), run('pull_request', 'o/r')],
  ['GitHub: after a push', 'same', github('workflow_run'), run('push', 'o/r')],
  ['GitHub: after who knows what', 'unsure', github('workflow_run'), {}],
  ['GitLab: a fork', 'fork', gitlab('x/p')],
  ['GitLab: the same project', 'same', gitlab('g/p')],
  ['GitLab: not said', 'unsure', gitlab(undefined)],
  ['GitLab: a branch', 'none', { GITLAB_CI: 'true', CI_PROJECT_PATH: 'g/p' }],
  [
    "GitLab: another forge's pull request",
    'fork',
    {
      GITLAB_CI: 'true',
      CI_EXTERNAL_PULL_REQUEST_IID: '1',
      CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY: 'x/r',
      CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY: 'o/r',
    },
  ],
  ['CircleCI: a fork', 'fork', { CIRCLE_PR_REPONAME: 'r', CIRCLE_PR_USERNAME: 'x', CIRCLE_PR_NUMBER: '1' }],
  ['CircleCI: the same repository', 'same', { CIRCLE_PULL_REQUEST: 'https://github.com/o/r/pull/1' }],
  ['Buildkite: a fork', 'fork', buildkite('git://github.com/x/r.git')],
  ['Buildkite: the same repository, another protocol', 'same', buildkite('https://github.com/o/r.git')],
  ['Buildkite: the same path on another host', 'fork', buildkite('https://evil.example/o/r.git')],
  ['Buildkite: not said', 'unsure', buildkite('')],
  ['Buildkite: no pull request', 'none', { BUILDKITE_PULL_REQUEST: 'false' }],
  ['Azure: a fork', 'fork', { BUILD_REASON: 'PullRequest', SYSTEM_PULLREQUEST_ISFORK: 'True' }],
  ['Azure: the same repository', 'same', { BUILD_REASON: 'PullRequest', SYSTEM_PULLREQUEST_ISFORK: 'False' }],
  ['Azure: not said', 'unsure', { SYSTEM_PULLREQUEST_PULLREQUESTID: '4' }],
  ['Travis: a fork', 'fork', { TRAVIS_PULL_REQUEST: '3', TRAVIS_PULL_REQUEST_SLUG: 'x/r', TRAVIS_REPO_SLUG: 'o/r' }],
  ['Travis: the same', 'same', { TRAVIS_PULL_REQUEST: '3', TRAVIS_PULL_REQUEST_SLUG: 'o/r', TRAVIS_REPO_SLUG: 'o/r' }],
  ['Travis: a push', 'none', { TRAVIS_PULL_REQUEST: 'false', TRAVIS_EVENT_TYPE: 'push' }],
  [
    'AppVeyor: a fork',
    'fork',
    { APPVEYOR_PULL_REQUEST_NUMBER: '1', APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME: 'x/r', APPVEYOR_REPO_NAME: 'o/r' },
  ],
  [
    'Semaphore: a fork',
    'fork',
    { SEMAPHORE_GIT_REF_TYPE: 'pull-request', SEMAPHORE_GIT_PR_SLUG: 'x/r', SEMAPHORE_GIT_REPO_SLUG: 'o/r' },
  ],
  ['Jenkins: a fork', 'fork', { JENKINS_URL: 'http://j', CHANGE_ID: '1', CHANGE_FORK: 'x' }],
  ['Jenkins: not said', 'unsure', { JENKINS_URL: 'http://j', CHANGE_ID: '1' }],
  ['Bitbucket: forks start no pipeline', 'same', { BITBUCKET_PR_ID: '1' }],
  ['Drone', 'unsure', { DRONE: 'true', DRONE_BUILD_EVENT: 'pull_request' }],
  ['Drone: a push', 'none', { DRONE: 'true', DRONE_BUILD_EVENT: 'push' }],
  ['Woodpecker', 'unsure', { CI: 'woodpecker', CI_PIPELINE_EVENT: 'pull_request' }],
  ['Prow', 'unsure', { PROW_JOB_ID: 'x', PULL_NUMBER: '1' }],
];

for (const [name, want, variables, event] of CASES)
  test(name, () => {
    const verdict = forkVerdict(variables, event);
    const got = verdict.fork
      ? verdict.why.includes('does not say')
        ? 'unsure'
        : 'fork'
      : verdict.system === ''
        ? 'none'
        : 'same';
    assert.equal(got, want, JSON.stringify(verdict));
    if (verdict.system !== '') assert.ok(name.startsWith(verdict.system.split(' ')[0] ?? ''), verdict.system);
  });

test('the event file is read where it is needed, and whatever is wrong with it counts as a fork', async () => {
  const variables = { ...github('pull_request'), GITHUB_EVENT_PATH: '/event.json' };
  const files = (text: string | undefined) => ({
    readText: async (path: string): Promise<string> => {
      assert.equal(path, '/event.json');
      if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return text;
    },
  });
  assert.equal((await detectFork(variables, files(JSON.stringify(pull(repo('o/r')))))).fork, false);
  assert.equal((await detectFork(variables, files(JSON.stringify(pull(repo('x/r')))))).fork, true);
  for (const broken of ['{', '[]', '{"__proto__": {"pull_request": {}}}', undefined])
    assert.equal((await detectFork(variables, files(broken))).fork, true, broken);
  const never = { readText: async (): Promise<string> => assert.fail('read') };
  assert.equal((await detectFork({ ...variables, GITHUB_EVENT_NAME: 'push' }, never)).fork, false);
});
