import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DiagnosticError } from '../../model/diagnostic.ts';
import { isDirect, proxyOf } from './proxy.ts';

const API = 'https://api.example.com:6443';

describe('proxy: which', () => {
  const cases: { why: string; server?: string; cluster?: object; variables?: object; want: string | undefined }[] = [
    { why: 'none is configured', want: undefined },
    { why: 'proxy-url of the cluster', cluster: { 'proxy-url': 'http://p:1' }, want: 'http://p:1' },
    {
      why: 'proxy-url counts against NO_PROXY, the variables and loopback',
      server: 'https://127.0.0.1:6443',
      cluster: { 'proxy-url': 'https://u:w@p:1' },
      variables: { NO_PROXY: '*', HTTPS_PROXY: 'http://other' },
      want: 'https://u:w@p:1',
    },
    {
      why: 'HTTPS_PROXY for https',
      variables: { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q' },
      want: 'http://p:1',
    },
    {
      why: 'HTTP_PROXY for http',
      server: 'http://api.example.com',
      variables: { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q' },
      want: 'http://q',
    },
    { why: 'HTTP_PROXY is not for https', variables: { HTTP_PROXY: 'http://q' }, want: undefined },
    {
      why: 'lower case, after upper case',
      variables: { https_proxy: 'http://low', HTTPS_PROXY: '' },
      want: 'http://low',
    },
    { why: 'an address without a scheme is http', variables: { HTTPS_PROXY: 'p:3128' }, want: 'http://p:3128' },
    { why: 'NO_PROXY', variables: { HTTPS_PROXY: 'http://p', no_proxy: '.example.com' }, want: undefined },
  ];
  for (const { why, server = API, cluster = {}, variables = {}, want } of cases) {
    it(why, () => assert.equal(proxyOf({ ...cluster }, server, { ...variables }), want));
  }

  for (const [why, url, code] of [
    ['socks5', 'socks5://user:canary@p:1080', 'unsupported'],
    ['nonsense', 'http://canary:[', 'kubeconfig-invalid'],
  ] as const) {
    it(`${why} is refused without quoting it`, () => {
      assert.throws(
        () => proxyOf({ 'proxy-url': url }, API, {}),
        (error: unknown) => {
          assert.ok(error instanceof DiagnosticError);
          assert.equal(error.diagnostics[0]?.code, code);
          return !JSON.stringify(error.diagnostics).includes('canary');
        },
      );
    });
  }
});

describe('NO_PROXY, as Go reads it', () => {
  const cases: [server: string, exceptions: string, direct: boolean, why: string][] = [
    [API, '', false, 'nothing'],
    [API, '*', true, 'everything'],
    [API, 'other.example, api.example.com', true, 'one of a list, with spaces'],
    [API, 'API.Example.COM', true, 'case does not matter'],
    [API, 'example.com', true, 'a domain covers what is below'],
    [API, '.example.com', true, 'so does one with a dot'],
    [API, '*.example.com', true, 'and one with a star'],
    [API, 'ample.com', false, 'but not the end of a word'],
    ['https://example.com', '.example.com', false, 'a dot leaves the domain itself out'],
    ['https://example.com', 'example.com', true, 'the domain itself'],
    [API, 'api.example.com:6443', true, 'the port, the same'],
    [API, 'api.example.com:443', false, 'the port, another'],
    ['https://api.example.com', 'api.example.com:443', true, 'the port of the scheme'],
    ['https://10.1.2.3:6443', '10.0.0.0/8', true, 'a range'],
    ['https://11.1.2.3:6443', '10.0.0.0/8', false, 'outside of it'],
    ['https://10.1.2.3:6443', '10.1.2.3', true, 'an address'],
    ['https://10.1.2.3:6443', '10.1.2.3:6443', true, 'an address with a port'],
    ['https://10.1.2.3:6443', '2.3', false, 'an address is no domain'],
    ['https://[fd00::1]:6443', 'fd00::/8', true, 'a range of IPv6'],
    ['https://[fd00::1]:6443', '[fd00::1]:6443', true, 'IPv6 with a port'],
    ['https://[fd00::1]:6443', 'fd00::1', true, 'IPv6 without'],
    ['https://localhost:6443', '', true, 'localhost always'],
    ['https://127.8.8.8:6443', '', true, 'loopback always'],
    ['https://[::1]:6443', '', true, 'loopback of IPv6 always'],
    [API, '10.0.0.0/99,/,:', false, 'nonsense is passed over'],
  ];
  for (const [server, exceptions, direct, why] of cases) {
    it(`${why}: ${new URL(server).host} with "${exceptions}"`, () =>
      assert.equal(isDirect(new URL(server), exceptions), direct));
  }
});
