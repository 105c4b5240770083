import { describe, expect, it } from 'vitest';
import { proxyOf, throughProxy } from '../../src/http/proxies.ts';

const HTTP_PROXY = 'http://plain.example:3128';
const HTTPS_PROXY = 'http://me:p%40ss@secure.example:8080';

describe('the proxy of an address', () => {
  it.each([
    ['https://a.example', { HTTP_PROXY, HTTPS_PROXY }, HTTPS_PROXY],
    ['http://a.example', { HTTP_PROXY, HTTPS_PROXY }, HTTP_PROXY],
    ['https://a.example', { HTTP_PROXY }, HTTP_PROXY],
    ['http://a.example', { HTTPS_PROXY }, undefined],
    ['http://a.example', {}, undefined],
  ])('%s with %j', (address, proxies, expected) => {
    expect(proxyOf(address, { ...proxies, NO_PROXY: [] })).toEqual(expected && new URL(expected));
    expect(proxyOf(address, undefined)).toBeUndefined();
  });

  it.each(['http://localhost:8090', 'http://127.0.0.1', 'https://[::1]', 'http://demo.localhost'])(
    '%s, which is loopback, is none',
    (address) => expect(proxyOf(address, { HTTP_PROXY, NO_PROXY: [] })).toBeUndefined(),
  );

  it.each<[entry: string, direct: string[], proxied: string[]]>([
    ['*', ['https://a.example', 'http://8.8.8.8'], []],
    ['a.example', ['https://a.example', 'https://A.example.', 'https://b.a.example'], ['https://ba.example']],
    ['.a.example', ['https://b.a.example', 'https://a.example'], ['https://ba.example']],
    ['*.A.example.', ['https://b.a.example'], ['https://a.example', 'https://ba.example']],
    ['a.example:8443', ['https://a.example:8443'], ['https://a.example', 'http://a.example']],
    ['a.example:443', ['https://a.example'], ['http://a.example']],
    ['10.0.0.5', ['http://10.0.0.5'], ['http://10.0.0.50', 'http://a.example']],
    ['10.0.0.5:80', ['http://10.0.0.5'], ['https://10.0.0.5']],
    ['10.0.0.0/8', ['http://10.9.9.9'], ['http://11.0.0.1', 'http://a.example']],
    ['fd00::/8', ['http://[fd12::1]'], ['http://[fe00::1]', 'http://10.0.0.5']],
    ['2001:db8::1', ['http://[2001:db8::1]'], ['http://[2001:db8::2]']],
    ['[2001:db8::1]:443', ['https://[2001:db8::1]'], ['http://[2001:db8::1]']],
    ['5', [], ['http://10.0.0.5']],
    ['<local>', [], ['http://intranet']],
  ])('is none for what %s in NO_PROXY names, and for nothing else', (entry, direct, proxied) => {
    const of = (address: string) => proxyOf(address, { HTTP_PROXY, NO_PROXY: ['other.example', entry] });
    expect(direct.filter(of)).toEqual([]);
    expect(proxied.filter(of)).toEqual(proxied);
  });

  it('is named without its user and password', () => {
    expect(throughProxy(new URL(HTTPS_PROXY))).toBe(' through the proxy http://secure.example:8080');
    expect(throughProxy(undefined)).toBe('');
  });
});
