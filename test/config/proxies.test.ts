import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';

describe('the proxies of the environment', () => {
  it('are read in either case, the lower one first, with or without http://', () => {
    expect(loadConfig({ HTTP_PROXY: 'proxy.example:3128', NO_PROXY: 'a.example, 10.0.0.0/8  b' })).toMatchObject({
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: ['a.example', '10.0.0.0/8', 'b'],
    });
    const both = { https_proxy: 'http://lower.example', HTTPS_PROXY: 'http://upper.example', http_proxy: '' };
    expect(loadConfig(both)).toMatchObject({ HTTPS_PROXY: 'http://lower.example', NO_PROXY: [] });
    expect(loadConfig({ no_proxy: '*' }).NO_PROXY).toEqual(['*']);
  });

  it.each([
    [{ HTTP_PROXY: 'socks5://me:shush@proxy.example' }, 'HTTP_PROXY: must be an http:// or https:// address'],
    [{ https_proxy: 'http://me:shush%@proxy.example' }, 'HTTPS_PROXY: must have its user and password percent-encoded'],
    [{ HTTPS_PROXY: 'two shush words' }, 'HTTPS_PROXY: must be an http:// or https:// address'],
    [{ NO_PROXY: 'shush,10.0.0.0/33' }, 'NO_PROXY: must be names, addresses or ranges such as 10.0.0.0/8'],
    [{ NO_PROXY: 'http://shush' }, 'NO_PROXY: must be names, addresses or ranges such as 10.0.0.0/8'],
  ])('are refused where they are not understood: %j', (given, problem) => {
    expect(() => loadConfig(given as Record<string, string>)).toThrow(problem);
    expect(() => loadConfig(given as Record<string, string>)).not.toThrow(/shush/);
  });
});
