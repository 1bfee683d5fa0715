import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { JsonObject } from '../../kit/json.ts';
import { type Diagnostic, DiagnosticError } from '../../model/diagnostic.ts';
import { FAKE_CLOCK_START, FakeClock } from '../../testing/fake-clock.ts';
import { type Connection, connect } from './connect.ts';

const V1 = 'client.authentication.k8s.io/v1';
const SECRET = 'canary-credential';
const directory = mkdtempSync(join(tmpdir(), 'metactl-exec-'));
after(() => rmSync(directory, { recursive: true }));

const seen: IncomingHttpHeaders[] = [];
/** Authorization headers that the server refuses. */
const refused = new Set<string>();
const server = createServer((request, response) => {
  seen.push(request.headers);
  response.statusCode = refused.has(request.headers.authorization ?? '') ? 401 : 200;
  response.end('{}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});

let count = 0;
interface Bench {
  readonly connection: Connection;
  readonly clock: FakeClock;
  /** How often the plugin ran. */
  runs(): number;
  /** What it saw in KUBERNETES_EXEC_INFO, last. */
  info(): JsonObject;
  authorization(): Promise<string | undefined>;
}

/** A plugin that is this Node with `script`; it counts its runs and keeps what it was told. */
async function bench(
  script: string,
  exec: object = {},
  more: { cluster?: object; timeoutMs?: number } = {},
): Promise<Bench> {
  const log = join(directory, `log-${count++}`);
  writeFileSync(log, '');
  const prelude = `require('fs').appendFileSync(${JSON.stringify(log)}, process.env.KUBERNETES_EXEC_INFO + '\\n');
    const n = require('fs').readFileSync(${JSON.stringify(log)}, 'utf8').trim().split('\\n').length;
    const answer = (status, apiVersion = '${V1}') => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion, status }));`;
  const user = {
    exec: {
      apiVersion: V1,
      command: process.execPath,
      args: ['-e', prelude + script],
      interactiveMode: 'Never',
      ...exec,
    },
  };
  const clock = new FakeClock();
  const connection = await open({ user, ...more }, clock);
  const lines = (): string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  after(() => connection.transport.close());
  return {
    connection,
    clock,
    runs: () => lines().length,
    info: () => JSON.parse(lines().at(-1) ?? '{}'),
    authorization: async () => {
      await (await connection.transport.request({ method: 'GET', path: '/' })).text();
      return seen.at(-1)?.authorization;
    },
  };
}

async function open(
  { user, cluster, timeoutMs }: { user: object; cluster?: object; timeoutMs?: number },
  clock: FakeClock,
): Promise<Connection> {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = join(directory, `config-${count++}`);
  const document = {
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server: address, ...cluster } }],
    users: [{ name: 'a', user }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(document));
  const connection = await connect({
    kubeconfig,
    variables: { PATH: process.env['PATH'], FROM_OUTSIDE: 'yes' },
    clock,
    plugins: { interactive: false, stderr: 'ignore', ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  });
  assert.ok(connection);
  return connection;
}

describe('exec plugin: what it gives', () => {
  it('a token, asked for once by any number of requests', async () => {
    const plugin = await bench("setTimeout(() => answer({ token: 'one' }), 50)");
    assert.deepEqual(
      new Set(await Promise.all(Array.from({ length: 20 }, () => plugin.authorization()))),
      new Set(['Bearer one']),
    );
    assert.equal(plugin.runs(), 1);
    plugin.clock.advance(86_400_000);
    await plugin.authorization();
    assert.equal(plugin.runs(), 1, 'without an expirationTimestamp it holds until the server refuses it');
  });

  it('v1beta1, without interactiveMode', async () => {
    const beta = 'client.authentication.k8s.io/v1beta1';
    const plugin = await bench(`answer({ token: 'beta' }, '${beta}')`, {
      apiVersion: beta,
      interactiveMode: undefined,
    });
    assert.equal(await plugin.authorization(), 'Bearer beta');
  });

  it('is run again when the token has expired, not before', async () => {
    const expires = new Date(FAKE_CLOCK_START + 10_000).toISOString();
    const plugin = await bench(`answer(n === 1 ? { token: 'a', expirationTimestamp: '${expires}' } : { token: 'b' })`);
    assert.equal(await plugin.authorization(), 'Bearer a');
    plugin.clock.advance(9_999);
    assert.equal(await plugin.authorization(), 'Bearer a');
    plugin.clock.advance(1);
    assert.equal(await plugin.authorization(), 'Bearer b');
    assert.equal(plugin.runs(), 2);
  });

  it('is run once more after a 401, once for all requests that were refused', async () => {
    const plugin = await bench("answer({ token: n === 1 ? 'old' : 'new' })");
    await plugin.authorization();
    refused.add('Bearer old');
    const answers = await Promise.all(Array.from({ length: 10 }, () => plugin.authorization()));
    assert.ok(answers.includes('Bearer new'));
    assert.equal(plugin.runs(), 2);
  });

  it('is not run in a row when what it gives goes on being refused', async () => {
    const plugin = await bench("answer({ token: 'never-good' })");
    refused.add('Bearer never-good');
    for (let i = 0; i < 5; i++) await plugin.authorization();
    assert.equal(plugin.runs(), 2);
    plugin.clock.advance(5_000);
    await plugin.authorization();
    assert.equal(plugin.runs(), 3);
  });

  it('its environment: ours, the entry’s, and what it is asked', async () => {
    const plugin = await bench('answer({ token: process.env.FROM_OUTSIDE + process.env.OWN })', {
      env: [{ name: 'OWN', value: '-own' }],
    });
    assert.equal(await plugin.authorization(), 'Bearer yes-own');
    assert.deepEqual(plugin.info(), { apiVersion: V1, kind: 'ExecCredential', spec: { interactive: false } });
  });

  it('the cluster, when the entry says so', async () => {
    const ca = Buffer.from('ca').toString('base64');
    const extension = { audience: 'x' };
    const cluster = {
      'certificate-authority-data': ca,
      'tls-server-name': 'name.example',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension }],
    };
    const plugin = await bench("answer({ token: 't' })", { provideClusterInfo: true }, { cluster });
    await plugin.authorization();
    const { server: address, ...rest } = (plugin.info()['spec'] as JsonObject)['cluster'] as JsonObject;
    assert.match(String(address), /^http:\/\/127/);
    assert.deepEqual(rest, {
      'tls-server-name': 'name.example',
      'certificate-authority-data': ca,
      config: extension,
    });
  });
});

describe('exec plugin: what goes wrong', () => {
  const print = (value: unknown): string => `console.log(${JSON.stringify(JSON.stringify(value))})`;
  const credential = (more: object): object => ({ kind: 'ExecCredential', apiVersion: V1, ...more });
  const cases: { why: string; script: string; words: RegExp; exec?: object; timeoutMs?: number }[] = [
    { why: 'it fails', script: `console.error('${SECRET}'); process.exit(3)`, words: /failed with exit code 3/ },
    { why: 'it prints no JSON', script: `console.log('token: ${SECRET}')`, words: /not JSON/ },
    { why: 'it prints half of it', script: `process.stdout.write('{"token": "${SECRET}')`, words: /not JSON/ },
    { why: 'it prints nothing', script: '', words: /printed nothing/ },
    { why: 'it prints something else', script: print({ token: SECRET }), words: /not an ExecCredential/ },
    {
      why: 'it speaks another version',
      script: print(credential({ apiVersion: 'client.authentication.k8s.io/v1beta1', status: { token: SECRET } })),
      words: /of client\.authentication\.k8s\.io\/v1beta1, but is configured for client\.authentication\.k8s\.io\/v1$/,
    },
    {
      why: 'its version holds something odd',
      script: print(credential({ apiVersion: `x ${SECRET}`, status: {} })),
      words: /of no apiVersion/,
    },
    { why: 'no status', script: print(credential({})), words: /without a status/ },
    { why: 'nothing in its status', script: print(credential({ status: {} })), words: /neither a token nor/ },
    {
      why: 'a certificate without its key',
      script: print(credential({ status: { token: SECRET, clientCertificateData: SECRET } })),
      words: /certificate without its key/,
    },
    {
      why: 'a time that is none',
      script: print(credential({ status: { token: SECRET, expirationTimestamp: 'soon' } })),
      words: /expirationTimestamp that is not a time/,
    },
    {
      why: 'too much',
      script: "process.stdout.write('x'.repeat(2_000_000)); setInterval(() => 0, 1000)",
      words: /more than 1 MiB/,
    },
    { why: 'it does not end', script: 'setInterval(() => 0, 1000)', timeoutMs: 300, words: /did not end within/ },
    {
      why: 'it is not there',
      script: '',
      exec: { command: 'no-such-plugin', installHint: 'Get it at\nhttps://plugin.example' },
      words: /plugin no-such-plugin was not found\. Get it at https:\/\/plugin\.example/,
    },
    {
      why: 'it wants to ask, and nobody is there',
      script: '',
      exec: { interactiveMode: 'Always' },
      words: /stdin is not a terminal/,
    },
  ];
  for (const { why, script, words, exec, timeoutMs } of cases) {
    it(why, async () => {
      const plugin = await bench(script, exec, timeoutMs === undefined ? {} : { timeoutMs });
      await assert.rejects(plugin.authorization(), (error: Error) => {
        assert.equal(error.name, 'ConnectionError');
        assert.match(error.message, words);
        assert.ok(!error.message.includes(SECRET), 'what it printed is not quoted');
        return true;
      });
    });
  }
});

describe('users that are refused before anything is sent', () => {
  const jwt = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${SECRET}`;
  const oidc = (token?: string): object => ({
    'auth-provider': { name: 'oidc', config: { 'id-token': token, 'refresh-token': SECRET } },
  });
  const past = FAKE_CLOCK_START / 1_000 - 1;
  const cases: { why: string; user: object; words: RegExp; code?: string }[] = [
    {
      why: 'a version that is no more',
      user: { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
      words: /v1alpha1/,
    },
    { why: 'no version', user: { exec: { command: 'x' } }, words: /no apiVersion/ },
    { why: 'no command', user: { exec: { apiVersion: V1 } }, words: /no command/ },
    { why: 'no interactiveMode in v1', user: { exec: { apiVersion: V1, command: 'x' } }, words: /no interactiveMode/ },
    { why: 'args of another type', user: { exec: { apiVersion: V1, command: 'x', args: [1] } }, words: /args/ },
    {
      why: 'env of another type',
      user: { exec: { apiVersion: V1, command: 'x', interactiveMode: 'Never', env: { A: 'b' } } },
      words: /env/,
    },
    { why: 'exec is a text', user: { exec: 'aws' }, words: /not a map/ },
    {
      why: 'a provider that kubectl has dropped',
      user: { 'auth-provider': { name: 'gcp' } },
      words: /"gcp"/,
      code: 'unsupported',
    },
    { why: 'oidc without a token', user: oidc(), words: /no id-token/, code: 'unsupported' },
    {
      why: 'oidc that would have to be refreshed',
      user: oidc(jwt({ exp: past })),
      words: /has expired/,
      code: 'unsupported',
    },
  ];
  for (const { why, user, words, code = 'kubeconfig-invalid' } of cases) {
    it(why, async () => {
      const error: unknown = await open({ user }, new FakeClock()).then(
        () => assert.fail('it was accepted'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof DiagnosticError, String(error));
      const [problem] = error.diagnostics as [Diagnostic];
      assert.equal(problem.code, code);
      assert.match(problem.summary, words);
      assert.ok(!JSON.stringify(problem).includes(SECRET));
      if (code === 'unsupported') assert.match(problem.hint ?? '', /kubelogin/);
    });
  }

  it('an id-token of oidc is sent while it is valid', async () => {
    const token = jwt({ exp: FAKE_CLOCK_START / 1_000 + 60 });
    const clock = new FakeClock();
    const { transport } = await open({ user: oidc(token) }, clock);
    await (await transport.request({ method: 'GET', path: '/' })).text();
    assert.equal(seen.at(-1)?.authorization, `Bearer ${token}`);
    clock.advance(60_000);
    await assert.rejects(transport.request({ method: 'GET', path: '/' }), {
      name: 'ConnectionError',
      message: /has expired/,
    });
    await transport.close();
  });
});
