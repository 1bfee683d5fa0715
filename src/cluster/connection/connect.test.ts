import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { type Diagnostic, DiagnosticError } from '../../model/diagnostic.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { type Connection, type ConnectOptions, connect } from './connect.ts';

const SECRET = 'canary-credential';
const root = mkdtempSync(join(tmpdir(), 'metactl-connect-'));
after(() => rmSync(root, { recursive: true }));
let directory = root;
let count = 0;
beforeEach(() => {
  directory = join(root, String(count++));
  mkdirSync(directory);
});

const write = (name: string, content: unknown): string => {
  const file = join(directory, name);
  writeFileSync(file, typeof content === 'string' ? content : stringify(content));
  return file;
};

interface Shape {
  readonly server?: string;
  readonly cluster?: object;
  readonly user?: object;
  readonly namespace?: string;
  readonly current?: string | null;
}

/** A kubeconfig with one context, cluster and user, all called `name`. */
const config = (name: string, { server = `http://${name}.example:8001`, ...more }: Shape = {}): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  ...(more.current === null ? {} : { 'current-context': more.current ?? name }),
  clusters: [{ name, cluster: { server, ...more.cluster } }],
  users: [{ name, user: { token: SECRET, ...more.user } }],
  contexts: [
    { name, context: { cluster: name, user: name, ...(more.namespace ? { namespace: more.namespace } : {}) } },
  ],
});

const open = (options: Partial<ConnectOptions>): Promise<Connection | undefined> =>
  connect({ variables: {}, clock: new FakeClock(), ...options });

const problemOf = async (options: Partial<ConnectOptions>): Promise<Diagnostic> => {
  const error: unknown = await open(options).then(
    () => assert.fail('connect() succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DiagnosticError, String(error));
  assert.equal(error.diagnostics.length, 1);
  assert.ok(!JSON.stringify([error.message, error.diagnostics]).includes(SECRET), 'no credential in an error');
  return error.diagnostics[0] as Diagnostic;
};

describe('connect: which configuration', () => {
  it('none anywhere', async () => {
    assert.equal(await open({ variables: {} }), undefined);
    assert.equal(await open({ variables: { HOME: directory } }), undefined);
  });

  it('an empty one is none', async () => {
    const empty = write('empty', 'apiVersion: v1\nkind: Config\nclusters: null\ncontexts: null\nusers: []\n');
    assert.equal(await open({ variables: { KUBECONFIG: empty } }), undefined);
    assert.equal(await open({ variables: { KUBECONFIG: '/dev/null' } }), undefined);
  });

  it('the flag comes before KUBECONFIG, KUBECONFIG before the home directory', async () => {
    mkdirSync(join(directory, '.kube'));
    write('.kube/config', config('home'));
    const variables = { HOME: directory, KUBECONFIG: write('variable', config('variable')) };
    assert.equal((await open({ variables, kubeconfig: write('flag', config('flag')) }))?.contextName, 'flag');
    assert.equal((await open({ variables }))?.contextName, 'variable');
    assert.equal((await open({ variables: { HOME: directory } }))?.contextName, 'home');
  });

  it('merges the files of KUBECONFIG as kubectl does: the first that has an entry wins, missing files are passed over', async () => {
    const first = { ...config('a', { current: null }), users: [] };
    const second = { ...config('a', { server: 'http://other.example' }), 'current-context': 'a' };
    const files = [join(directory, 'missing'), write('1', first), write('2', second), write('3', config('b'))];
    const KUBECONFIG = files.join(delimiter);
    const connection = await open({ variables: { KUBECONFIG } });
    assert.equal(connection?.contextName, 'a');
    assert.equal(connection?.server, 'http://a.example:8001');
    assert.equal((await open({ variables: { KUBECONFIG }, context: 'b' }))?.server, 'http://b.example:8001');
  });

  it('the service account of a pod, when there is no kubeconfig', async () => {
    write('token', 'abc\n');
    write('namespace', 'prod\n');
    const variables = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443', HOME: directory };
    const connection = await open({ variables, serviceAccountDirectory: directory });
    assert.equal(connection?.contextName, 'in-cluster');
    assert.equal(connection.inCluster, true);
    assert.equal(connection?.server, 'https://[fd00::1]:443');
    assert.equal(connection?.namespace, 'prod');
    assert.equal(await open({ variables, serviceAccountDirectory: join(directory, 'none') }), undefined);
  });

  it('says where it leads', async () => {
    const shape = { server: 'https://user:pass@host.example:6443/prefix/', namespace: 'team' };
    const {
      transport: _,
      tunnels: _tunnels,
      ...rest
    } = (await open({ kubeconfig: write('c', config('dev', shape)) })) ?? {};
    assert.deepEqual(rest, {
      inCluster: false,
      contextName: 'dev',
      clusterName: 'dev',
      namespace: 'team',
      server: 'https://host.example:6443/prefix',
    });
  });
});

describe('connect: what is wrong with it', () => {
  it('a context that is not there: which there are', async () => {
    const problem = await problemOf({ kubeconfig: write('c', config('staging')), context: 'stagin' });
    assert.equal(problem.code, 'kubeconfig-invalid');
    assert.match(problem.summary, /no context named "stagin"/);
    assert.match(problem.detail ?? '', /staging/);
    assert.match(problem.hint ?? '', /did you mean "staging"/);
  });

  const cases: { why: string; content: unknown; words: RegExp; line?: number }[] = [
    { why: 'not YAML', content: `a: b\ntoken: "${SECRET}\n`, words: /not valid YAML/, line: 3 },
    { why: 'not a map', content: '- a', words: /not a map/ },
    { why: 'clusters is no list', content: { clusters: {} }, words: /clusters is not a list/ },
    {
      why: 'an entry without a name',
      content: { users: [{ user: { token: SECRET } }] },
      words: /users\[0\] has no name/,
    },
    { why: 'an entry without content', content: { clusters: [{ name: 'x' }] }, words: /"x"\) has no cluster/ },
    { why: 'no current context', content: config('a', { current: null }), words: /no current-context/ },
    {
      why: 'a current context that is not there',
      content: config('a', { current: 'b' }),
      words: /no context named "b"/,
    },
    { why: 'a context without its cluster', content: { ...config('a'), clusters: [] }, words: /no cluster named "a"/ },
    { why: 'a context without its user', content: { ...config('a'), users: [] }, words: /no user named "a"/ },
    { why: 'a server that is no address', content: config('a', { server: 'ftp://x' }), words: /not an http or https/ },
    { why: 'an empty file that was asked for', content: '', words: /no current-context/ },
  ];
  for (const { why, content, words, line } of cases) {
    it(why, async () => {
      const file = write('config', content);
      const problem = await problemOf({ kubeconfig: file });
      assert.equal(problem.code, 'kubeconfig-invalid');
      assert.match(problem.summary, words);
      assert.ok(problem.summary.includes(file));
      assert.equal(problem.source?.line, line);
    });
  }

  it('files that were named and are missing', async () => {
    assert.match((await problemOf({ kubeconfig: join(directory, 'x') })).summary, /does not exist/);
    assert.match((await problemOf({ variables: { KUBECONFIG: join(directory, 'x') } })).summary, /does not exist/);
    assert.match((await problemOf({ context: 'dev' })).summary, /"dev" was asked for/);
  });

  it('something that can’t be read', async () => {
    assert.match((await problemOf({ kubeconfig: directory })).summary, /can't be read: EISDIR/);
  });
});

describe('connect: credentials reach the server', () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.statusCode = request.headers.authorization === 'Bearer refused' ? 401 : 200;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authorization = async (connection: Connection | undefined): Promise<string | undefined> => {
    assert.ok(connection);
    await (await connection.transport.request({ method: 'GET', path: '/' })).text();
    return seen.at(-1)?.authorization;
  };

  const cases = [
    { why: 'token', user: { token: 'abc' }, want: 'Bearer abc' },
    { why: 'user and password', user: { username: 'u', password: 'p' }, want: `Basic ${btoa('u:p')}` },
    { why: 'nobody', user: {}, want: undefined },
  ];
  for (const { why, user, want } of cases) {
    it(why, async () => {
      const shape = { server: address(), user: { token: undefined, ...user } };
      const connection = await open({ kubeconfig: write('c', config('a', shape)) });
      assert.equal(await authorization(connection), want);
      await connection?.transport.close();
    });
  }

  it('a token file, relative to the kubeconfig, is read again after a minute and after a 401', async () => {
    const clock = new FakeClock();
    const file = write('token', 'one\n');
    const shape = { server: address(), user: { token: undefined, tokenFile: 'token' } };
    const connection = await open({ kubeconfig: write('c', config('a', shape)), clock });
    assert.equal(await authorization(connection), 'Bearer one');
    writeFileSync(file, 'refused');
    assert.equal(await authorization(connection), 'Bearer one');
    clock.advance(60_000);
    assert.equal(await authorization(connection), 'Bearer refused');
    writeFileSync(file, 'three');
    assert.equal(await authorization(connection), 'Bearer three');
    await connection?.transport.close();
  });

  it('a credential file that is missing is named', async () => {
    const user = { token: undefined, tokenFile: 'nowhere' };
    const connection = await open({ kubeconfig: write('c', config('a', { server: address(), user })) });
    await assert.rejects(authorization(connection), {
      name: 'ConnectionError',
      message: /nowhere can't be read: ENOENT/,
    });
  });
});
