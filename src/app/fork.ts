// Does this run belong to a fork's pull request? Then the files that it reads are a stranger's, while the credentials
// around it may be ours. Every CI system says it in its own variables; the facts are theirs, checked in the table of
// fork.test.ts. Rule: a pull request that can't be told to come from the same repository counts as a fork's.
// Absent: systems that say nothing of pull requests at all (Tekton, Argo Workflows, cron jobs): there nothing is refused.

import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../kit/json.ts';
import type { Files } from '../ports/files.ts';

export interface ForkVerdict {
  readonly fork: boolean;
  /** "GitHub Actions"; "" outside of the CI systems known here. */
  readonly system: string;
  /** Ends the sentence "this run counts as a fork's pull request, as …". */
  readonly why: string;
}

export type Variables = Readonly<Record<string, string | undefined>>;

interface CiSystem {
  readonly name: string;
  /** Is the run this system's and a pull request's? */
  readonly applies: (variables: Variables) => boolean;
  /** Where the change comes from; undefined: can't be told. */
  readonly origin: (variables: Variables, event: JsonObject | undefined) => Origin | undefined;
}

type Origin = 'same' | { readonly fork: string };

/** GitHub's payloads are far smaller; what is larger is not read, and the run counts as a fork's. */
const EVENT_BYTES = 8 * 1024 * 1024;

/** Reads the event file of GitHub Actions (and of those that imitate it) where the variables name one. */
export async function detectFork(variables: Variables, files: Pick<Files, 'readText'>): Promise<ForkVerdict> {
  const path = variables['GITHUB_EVENT_PATH'];
  const needed = path !== undefined && SYSTEMS.some((system) => system === GITHUB && system.applies(variables));
  return forkVerdict(variables, needed ? await readEvent(path, files) : undefined);
}

async function readEvent(path: string, files: Pick<Files, 'readText'>): Promise<JsonValue | undefined> {
  try {
    return parseJson(await files.readText(path, EVENT_BYTES));
  } catch {
    return undefined; // Not there or not JSON: the verdict is "can't be told", which counts as a fork.
  }
}

/** `event`: the document at GITHUB_EVENT_PATH, if there is one. */
export function forkVerdict(variables: Variables, event?: JsonValue): ForkVerdict {
  for (const { name, applies, origin } of SYSTEMS) {
    if (!applies(variables)) continue;
    const from = origin(variables, isJsonObject(event) ? event : undefined);
    if (from === 'same') return { fork: false, system: name, why: 'the pull request comes from the same repository' };
    if (from === undefined)
      return { fork: true, system: name, why: `${name} does not say which repository the pull request comes from` };
    return { fork: true, system: name, why: `${name} says that the pull request comes from ${from.fork}` };
  }
  return { fork: false, system: '', why: 'this run is no pull request of a CI system known to metactl' };
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

/** Compares two names of repositories; either missing: can't be told. */
function compared(source: JsonValue | undefined, target: JsonValue | undefined): Origin | undefined {
  if (typeof source !== 'string' || typeof target !== 'string' || source === '' || target === '') return undefined;
  return source.toLowerCase() === target.toLowerCase() ? 'same' : { fork: source };
}

function at(document: JsonValue | undefined, ...keys: string[]): JsonValue | undefined {
  let value = document;
  for (const key of keys) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Host and path of a repository's URL, for https://host/a/b.git and git@host:a/b.git alike. */
function repositoryOf(url: string | undefined): string | undefined {
  if (!isSet(url)) return undefined;
  const match = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+(?=\/))?[:/]+(.+?)(?:\.git)?\/*$/i.exec(url);
  return match ? `${match[1]}/${match[2]}` : undefined;
}

/** Comments on a pull request run with the rights of the base, and what is checked out is the workflow's choice. */
const COMMENTS = ['issue_comment', 'pull_request_comment'];

const GITHUB: CiSystem = {
  name: 'GitHub Actions',
  applies: ({ GITHUB_EVENT_NAME: event = '' }) =>
    event.startsWith('pull_request') || event === 'workflow_run' || COMMENTS.includes(event),
  origin: (variables, event) => {
    const name = variables['GITHUB_EVENT_NAME'] ?? '';
    if (name === 'workflow_run') return originOfWorkflowRun(event);
    if (name === 'issue_comment') return event && at(event, 'issue', 'pull_request') === undefined ? 'same' : undefined;
    if (at(event, 'pull_request', 'head', 'repo') === null) return { fork: 'a repository that is gone by now' };
    const base = at(event, 'pull_request', 'base', 'repo', 'full_name') ?? variables['GITHUB_REPOSITORY'];
    return compared(at(event, 'pull_request', 'head', 'repo', 'full_name'), base);
  },
};

/** A run that follows another one may work on what that one left behind. */
function originOfWorkflowRun(event: JsonObject | undefined): Origin | undefined {
  const cause = at(event, 'workflow_run', 'event');
  if (typeof cause !== 'string') return undefined;
  if (!cause.startsWith('pull_request')) return 'same';
  return compared(
    at(event, 'workflow_run', 'head_repository', 'full_name'),
    at(event, 'workflow_run', 'repository', 'full_name'),
  );
}

const SYSTEMS: readonly CiSystem[] = [
  GITHUB,
  {
    name: 'GitLab CI',
    applies: (v) => isSet(v['GITLAB_CI']) && (isSet(v['CI_MERGE_REQUEST_IID']) || isSet(v['CI_MERGE_REQUEST_ID'])),
    // A pipeline that runs in the fork has the fork's variables only; one that runs in the parent has the parent's.
    origin: (v) => compared(v['CI_MERGE_REQUEST_SOURCE_PROJECT_PATH'], v['CI_PROJECT_PATH']),
  },
  {
    name: 'GitLab CI',
    applies: (v) => isSet(v['GITLAB_CI']) && isSet(v['CI_EXTERNAL_PULL_REQUEST_IID']),
    origin: (v) =>
      compared(v['CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY'], v['CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY']),
  },
  {
    name: 'CircleCI',
    // CIRCLE_PR_* are set for pull requests of forks only.
    applies: (v) => isSet(v['CIRCLE_PR_NUMBER']) || isSet(v['CIRCLE_PR_REPONAME']) || isSet(v['CIRCLE_PULL_REQUEST']),
    origin: (v) => {
      const fork = isSet(v['CIRCLE_PR_NUMBER']) || isSet(v['CIRCLE_PR_REPONAME']);
      const name = [v['CIRCLE_PR_USERNAME'], v['CIRCLE_PR_REPONAME']].filter(isSet).join('/');
      return fork ? { fork: name === '' ? 'a fork' : name } : 'same';
    },
  },
  {
    name: 'Buildkite',
    applies: (v) => isSet(v['BUILDKITE_PULL_REQUEST']) && v['BUILDKITE_PULL_REQUEST'] !== 'false',
    origin: (v) => compared(repositoryOf(v['BUILDKITE_PULL_REQUEST_REPO']), repositoryOf(v['BUILDKITE_REPO'])),
  },
  {
    name: 'Azure Pipelines',
    applies: (v) => v['BUILD_REASON'] === 'PullRequest' || isSet(v['SYSTEM_PULLREQUEST_PULLREQUESTID']),
    origin: (v) => {
      const fork = v['SYSTEM_PULLREQUEST_ISFORK']?.toLowerCase();
      if (fork === 'false') return 'same';
      return fork === 'true' ? { fork: v['SYSTEM_PULLREQUEST_SOURCEREPOSITORYURI'] ?? 'a fork' } : undefined;
    },
  },
  {
    name: 'Travis CI',
    applies: (v) =>
      v['TRAVIS_EVENT_TYPE'] === 'pull_request' ||
      (isSet(v['TRAVIS_PULL_REQUEST']) && v['TRAVIS_PULL_REQUEST'] !== 'false'),
    origin: (v) => compared(v['TRAVIS_PULL_REQUEST_SLUG'], v['TRAVIS_REPO_SLUG']),
  },
  {
    name: 'AppVeyor',
    applies: (v) => isSet(v['APPVEYOR_PULL_REQUEST_NUMBER']),
    origin: (v) => compared(v['APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME'], v['APPVEYOR_REPO_NAME']),
  },
  {
    name: 'Semaphore',
    applies: (v) => v['SEMAPHORE_GIT_REF_TYPE'] === 'pull-request',
    origin: (v) => compared(v['SEMAPHORE_GIT_PR_SLUG'], v['SEMAPHORE_GIT_REPO_SLUG']),
  },
  {
    name: 'Jenkins',
    // CHANGE_FORK is set for forks, by the sources that support it: the others can't be told from it.
    applies: (v) => isSet(v['CHANGE_ID']) && isSet(v['JENKINS_URL']),
    origin: (v) => (isSet(v['CHANGE_FORK']) ? { fork: v['CHANGE_FORK'] } : undefined),
  },
  // Pull requests of forks start no pipeline there.
  { name: 'Bitbucket Pipelines', applies: (v) => isSet(v['BITBUCKET_PR_ID']), origin: () => 'same' },
  { name: 'Drone', applies: (v) => v['DRONE_BUILD_EVENT'] === 'pull_request', origin: () => undefined },
  {
    name: 'Woodpecker',
    applies: (v) => v['CI'] === 'woodpecker' && (v['CI_PIPELINE_EVENT'] ?? '').startsWith('pull_request'),
    origin: () => undefined,
  },
  {
    name: 'Prow',
    applies: (v) => isSet(v['PROW_JOB_ID']) && isSet(v['PULL_NUMBER']),
    origin: () => undefined,
  },
];
