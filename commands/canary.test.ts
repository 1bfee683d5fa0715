// Canaries in every place where the program meets a secret, and then all that it prints or leaves behind is searched for
// them: as they are, in base64, as parts of longer texts. The program runs as a user starts it. (The directory of the
// sandbox is not searched: it is the cluster.)

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ProjectDirectory } from '../src/testing/project-directory.ts';
import { build } from '../tools/build.ts';

const RUN = join(import.meta.dirname, '..', 'bin', 'run.js');
const home = mkdtempSync(join(tmpdir(), 'metactl-canary-'));
const leftovers = join(home, 'tmp');
mkdirSync(leftovers);
before(() => build());
after(() => rmSync(home, { recursive: true, force: true }));

const canary = (where: string): string => `cnry/${where}"7f3a9c1e5b2d`;
const CANARIES = {
  input: canary('input-data'),
  plain: canary('input-stringdata'),
  record: canary('last-applied'),
  child: canary('child-data'),
  changed: canary('child-data-two'),
  generated: canary('generated'),
  environment: canary('environment'),
  token: canary('kubeconfig-token'),
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What must not be seen of a value: it, its escaped forms, and its base64 wherever that begins in a longer one. */
function traces(value: string): string[] {
  const aligned = [0, 1, 2].map((shift) => base64('x'.repeat(shift) + value).slice(4, -4));
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), value.slice(5), ...aligned];
}

const secret = (name: string, more: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', labels: { app: 'thing' } },
  ...more,
});

/** In every mode the values are spread over names of fields, texts, base64, status and what the hook prints. */
const HOOK = `
  const { mode = 'spread', value = ${JSON.stringify(CANARIES.child)} } = request.parent.spec;
  const base64 = (text) => Buffer.from(text).toString('base64');
  const metadata = (name) => ({ name, labels: { app: 'thing' } });
  const seen = Object.values(request.children['Secret.v1']).flatMap(({ data }) => Object.values(data ?? {}))
    .map((text) => Buffer.from(text, 'base64').toString());
  const all = [value, ...seen].join(' and ');
  const env = JSON.stringify(process.env);
  if (mode === 'throw') throw new Error('can not log in with ' + all + ' or ' + base64('user:' + all) + env, { cause: all });
  if (mode === 'invalid') return { children: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 1, note: all } }], [all]: 1 };
  if (mode === 'print') {
    console.log('connecting to https://u:' + encodeURIComponent(value) + '@host', { all });
    console.error(JSON.stringify({ all, generated: ${JSON.stringify(CANARIES.generated)} }), env);
  }
  const generated = mode === 'print' ? [{
    apiVersion: 'v1', kind: 'Secret', metadata: metadata('generated'),
    data: { key: base64(${JSON.stringify(CANARIES.generated)}) },
  }] : [];
  const data = { plain: 'password is ' + value + '.', basic: base64('user:' + value + '@'), all, json: JSON.stringify({ all }) };
  const labels = mode === 'rejected' ? { app: 'thing', ['note']: value } : { app: 'thing' };
  return {
    status: { note: all, seen: seen.length },
    children: [
      { apiVersion: 'v1', kind: 'Secret', metadata: metadata('child'), data: { password: base64(value), user: base64('me') } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'spread', labels }, data },
      ...generated,
    ],
  };
`;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

async function run(command: string, args: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: leftovers, LANG: 'C.UTF-8', ...variables };
  const secrets = { GITHUB_TOKEN: CANARIES.environment, AWS_SECRET_ACCESS_KEY: CANARIES.environment };
  const child = spawn(process.execPath, [RUN, command, ...args], { cwd: home, env: { ...env, ...secrets } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

/** Everything that one run shows; fails on the first trace of any canary. */
async function shows(command: string, args: readonly string[], variables?: Record<string, string>): Promise<Ended> {
  const json = join(home, 'plan.json');
  rmSync(json, { force: true });
  const outputs = ['-o', 'text', '-o', `json=${json}`, '--show-unchanged', '--color', 'never'];
  const ended = await run(command, [...args, ...outputs, ...(command === 'apply' ? ['--yes'] : [])], variables);
  const written = readdirSync(home).includes('plan.json') ? readFileSync(json, 'utf8') : '';
  for (const [where, text] of Object.entries({ 'stdout and stderr': ended.output, json: written, ...left() }))
    for (const [name, value] of Object.entries(CANARIES))
      for (const trace of traces(value))
        assert.ok(!text.includes(trace), `${command}: canary ${name} (${trace}) in ${where}:\n${text}`);
  return ended;
}

/** Temporary files that are still there. */
function left(): Record<string, string> {
  const files = readdirSync(leftovers, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]),
  );
}

async function projectOf(hook: string): Promise<{ project: ProjectDirectory; flags: string[] }> {
  const project = await ProjectDirectory.create({
    group: 'canary.example.com',
    namespace: 'default',
    childResources: ['configmaps', 'secrets'],
    hook,
  });
  after(() => project.remove());
  const record = JSON.stringify(secret('input', { stringData: { old: CANARIES.record } }));
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': record };
  const metadata = { name: 'input', namespace: 'default', annotations };
  await project.write('secret.json', {
    ...secret('input', { data: { password: base64(CANARIES.input) }, stringData: { plain: CANARIES.plain } }),
    metadata,
  });
  return { project, flags: ['-f', project.path, '--sandbox-dir', mkdtempSync(join(home, 'state-'))] };
}

test('a module hook: plan, apply, no change, another value, printed, thrown, invalid, rejected by the server', async () => {
  const { project, flags } = await projectOf(HOOK);
  assert.match((await shows('plan', flags)).output, /Secret.*child/);
  assert.equal((await shows('apply', [...flags, '--timeout', '60s'])).code, 0);
  assert.match((await shows('plan', flags)).output, /unchanged/);
  await project.parent({ value: CANARIES.changed });
  assert.match((await shows('plan', flags)).output, /password/);
  assert.equal((await shows('apply', [...flags, '--timeout', '60s'])).code, 0);
  await project.parent({ value: CANARIES.changed, mode: 'print' });
  const printed = await shows('plan', flags);
  assert.match(printed.output, /connecting to https:\/\/u:\(Secret value\)@host/);
  assert.equal((await shows('apply', [...flags, '--timeout', '60s'])).code, 0);
  assert.equal((await shows('plan', [...flags, '--mask-hook-secrets'])).code, 0);
  assert.match((await shows('apply', [...flags, '--mask-hook-secrets'])).output, /depends on Secret values/);
  for (const [mode, says] of [
    ['throw', /can not log in with \(Secret value\)/],
    ['invalid', /answer-invalid/],
    ['rejected', /the API server says/],
  ] as const) {
    await project.parent({ value: CANARIES.changed, mode });
    const planned = await shows('plan', flags);
    const applied = await shows('apply', [...flags, '--timeout', '10s']);
    assert.match(planned.output + applied.output, says, mode);
    assert.equal(applied.code, 1, mode);
  }
});

const EXEC_HOOK = `
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  const { children, parent } = JSON.parse(text);
  const values = Object.values(children['Secret.v1']).flatMap(({ data }) => Object.values(data));
  const plain = values.map((value) => Buffer.from(value, 'base64').toString()).join();
  process.stderr.write('password ' + plain + ' or ' + values + JSON.stringify(process.env) + '\\n');
  if (values.length > 0 && parent.spec.mode === 'exit') process.exit(3);
  if (values.length > 0) console.log('{"children": [' + plain);
  else console.log(JSON.stringify({ children: [{
    apiVersion: 'v1', kind: 'Secret', metadata: { name: 'child', labels: { app: 'thing' } },
    stringData: { password: ${JSON.stringify(CANARIES.child)} },
  }] }));
`;

async function withHook(project: ProjectDirectory, hook: object): Promise<void> {
  const file = join(project.path, 'controller.json');
  const definition = JSON.parse(readFileSync(file, 'utf8'));
  definition.spec.hooks.sync = hook;
  await project.write('controller.json', definition);
}

test('an exec hook: its stderr, its exit, half an answer', async () => {
  const { project, flags } = await projectOf('');
  writeFileSync(join(project.path, 'hook-program.mjs'), EXEC_HOOK);
  await withHook(project, { exec: { command: [process.execPath, 'hook-program.mjs'] } });
  const applied = await shows('apply', [...flags, '--no-wait', '--timeout', '2s']);
  assert.match(applied.output, /created Secret default\/child/);
  assert.match((await shows('plan', flags)).output, /answer is not JSON/);
  await project.parent({ mode: 'exit' });
  assert.match((await shows('plan', flags)).output, /exit code 3/);
});

test('a webhook: the body of its error, and a redirect', async () => {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const values = JSON.parse(text).children['Secret.v1'].child?.data ?? {};
      const plain = Object.values<string>(values).map((value) => Buffer.from(value, 'base64').toString());
      if (plain.length === 0)
        response.end(JSON.stringify({ children: [secret('child', { stringData: { a: CANARIES.child } })] }));
      else {
        response.writeHead(request.url === '/redirect' ? 302 : 500, {
          location: `http://x/?${encodeURIComponent(plain[0] ?? '')}`,
        });
        response.end(`no login with ${plain} and ${JSON.stringify(values)}`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { project, flags } = await projectOf('');
  await withHook(project, { webhook: { url: `http://127.0.0.1:${port}/sync` } });
  await shows('apply', [...flags, '--no-wait', '--timeout', '2s']);
  assert.match((await shows('plan', flags)).output, /answered 500/);
  await withHook(project, { webhook: { url: `http://127.0.0.1:${port}/redirect` } });
  assert.match((await shows('plan', flags)).output, /redirects are not followed/);
});

test('a kubeconfig with a token: nothing listens, the server says no, the file is broken', async () => {
  const server = createServer((request, response) => {
    const message = 'no such token';
    response.writeHead(request.url === '/api' ? 401 : 500, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'Unauthorized',
        code: 401,
        message,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { project } = await projectOf(HOOK);
  const kubeconfig = (address: string, token = JSON.stringify(CANARIES.token)): string[] => {
    const file = join(home, 'kubeconfig');
    writeFileSync(
      file,
      `apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: c, cluster: {server: '${address}'}}]\n` +
        `contexts: [{name: c, context: {cluster: c, user: u}}]\nusers:\n- name: u\n  user:\n    token: ${token}\n`,
    );
    return ['-f', project.path, '--kubeconfig', file];
  };
  assert.equal((await shows('plan', kubeconfig('http://127.0.0.1:1'))).code, 1);
  assert.equal((await shows('plan', kubeconfig(`http://127.0.0.1:${port}`))).code, 1);
  const broken = await shows('plan', kubeconfig('http://127.0.0.1:1', `"${CANARIES.token}`));
  assert.equal(broken.code, 1);
});

test('a Secret in a file that can not be read as it is', async () => {
  const { project, flags } = await projectOf(HOOK);
  const files = {
    twice: `  password: ${base64(CANARIES.input)}\n  password: ${base64(CANARIES.input)}\n`,
    syntax: `  password: ${base64(CANARIES.input)}: [\n`,
    tab: `\tpassword: ${JSON.stringify(CANARIES.input)}\n`,
    quote: `  password: "${CANARIES.plain.replace('"', '')}\n`,
    alias: `  password: *${CANARIES.input.replaceAll(/[^a-z0-9-]/g, '-')}\n`,
    tag: `  password: !${CANARIES.input.replaceAll(/[^a-z0-9-]/g, '-')} x\n`,
    precision: `  password: 12345678901234567890.12345678901234567890 # ${CANARIES.input}\n`,
  };
  for (const lines of Object.values(files)) {
    writeFileSync(
      join(project.path, 'bad.yaml'),
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: bad\ndata:\n${lines}`,
    );
    await shows('plan', flags);
  }
});
