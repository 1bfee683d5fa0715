// Credentials that rotate on disk while a daemon runs, on both servers behind a front that wants TLS, a client certificate and
// a token: all three and the authority are replaced at once, and the daemon goes on without being started anew.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from '../../testing/certificates.ts';
import { daemonBed } from '../../testing/daemon-bed.ts';
import { listenForTest } from '../../testing/hook-server.ts';
import { forEachTarget } from '../../testing/targets.ts';
import { until } from '../../testing/until.ts';

const authorities = [createAuthority('first authority'), createAuthority('second authority')] as const;
const REFUSED = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  code: 401,
  reason: 'Unauthorized',
});

interface Front {
  readonly url: string;
  /** Whoever shows this name and this token is let through, from now on; the server has a certificate of this authority. */
  accept(name: string, authority: Authority): void;
  /** Requests that were let through, by name. */
  readonly served: ReadonlyMap<string, number>;
}

/** Before the http server at `below`. */
async function tlsFront(t: TestContext, below: string): Promise<Front> {
  let accepted = '';
  const served = new Map<string, number>();
  const trusted = authorities.map(({ cert }) => cert);
  const contextOf = (authority: Authority) => ({ ...authority.issue('api', ['127.0.0.1']), ca: trusted });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody';
    if (name !== accepted || request.headers.authorization !== `Bearer token of ${name}`) {
      response.writeHead(401, { 'content-type': 'application/json' }).end(REFUSED);
      return;
    }
    served.set(String(name), (served.get(String(name)) ?? 0) + 1);
    const { method, url, headers } = request;
    const passedOn = httpRequest(`${below}${url}`, { ...(method ? { method } : {}), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    response.on('close', () => passedOn.destroy());
    request.pipe(passedOn);
  };
  const server = createServer({ ...contextOf(authorities[0]), requestCert: true, rejectUnauthorized: false }, handle);
  const port = await listenForTest(t, server);
  return {
    url: `https://127.0.0.1:${port}`,
    served,
    accept: (name, authority) => {
      accepted = name;
      server.setSecureContext(contextOf(authority));
      server.closeAllConnections();
    },
  };
}

forEachTarget('credentials that rotate', (target) => {
  test('certificate, key, token and authority at once: no restart', async (t: TestContext) => {
    const bed = await daemonBed(target, 'rotation');
    after(() => bed.close());
    const file = (name: string): string => join(bed.project.path, name);
    const put = async (name: string, authority: Authority): Promise<void> => {
      const { cert, key } = authorities[0].issue(name);
      const files = { 'client.crt': cert, 'client.key': key, 'ca.crt': authority.cert, token: `token of ${name}` };
      for (const [which, text] of Object.entries(files)) await writeFile(file(which), text);
    };
    const plain = /server: "?(http:[^\s"]+)/.exec(await readFile(file('kubeconfig'), 'utf8'))?.[1];
    assert.ok(plain);
    const front = await tlsFront(t, plain);
    await put('alice', authorities[0]);
    front.accept('alice', authorities[0]);
    const user = { 'client-certificate': 'client.crt', 'client-key': 'client.key', tokenFile: 'token' };
    await bed.project.write('secured', {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a', users: [{ name: 'a', user }] },
      clusters: [{ name: 'a', cluster: { server: front.url, 'certificate-authority': 'ca.crt' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    });
    await bed.crd();
    const daemon = bed.start({ cluster: { kubeconfig: file('secured') }, log: SILENT });
    await bed.thing('one', { names: ['a'] });
    await until('the child is there', async () => (await bed.maps()) === 'a');
    const before = front.served.get('alice');

    await put('bob', authorities[1]);
    front.accept('bob', authorities[1]);
    await bed.thing('two', { names: ['b'] });
    await until('the second parent has its child', async () => (await bed.maps()) === 'a b');
    assert.ok(before);
    assert.ok((front.served.get('bob') ?? 0) > 0);
    assert.deepEqual(await daemon.stop(), { status: 'stopped', diagnostics: [] });
  });
});

const SILENT = { level: 'error', encoder: 'json', write: () => undefined } as const;
