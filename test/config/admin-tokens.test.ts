import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { accessTokens } from '../../src/config/variables/administration.ts';
import { unreachable } from '../support/warehouse-variables.ts';

const one = '0123456789abcdef';
const other = 'fedcba:9876543210';
const third = 'another-token-of-this-test';

it('each token has its name and roles, and whoever acts or reads bodies reads the rest', () => {
  const config = loadConfig({
    ADMIN_HOST: '0.0.0.0',
    ADMIN_TOKEN: one,
    ADMIN_TOKENS: `support:read:${other}, shift.lead:bodies+act:${third}, auditor:bodies:${third}2,`,
  });
  expect(accessTokens(config)).toEqual([
    { name: 'ADMIN_TOKEN', roles: ['read', 'act', 'bodies', 'manage'], token: one },
    { name: 'support', roles: ['read'], token: other },
    { name: 'shift.lead', roles: ['read', 'act', 'bodies'], token: third },
    { name: 'auditor', roles: ['read', 'bodies'], token: `${third}2` },
  ]);
});

it('a named token opens an address beyond loopback', () => {
  expect(accessTokens(loadConfig({ ADMIN_HOST: '0.0.0.0', ADMIN_TOKENS: `support:read:${one}` }))).toHaveLength(1);
  expect(accessTokens(loadConfig({}))).toEqual([]);
});

it('a token may be limited to accounts and customers', () => {
  const limited = `acme:read+bodies@9104/77+9105/78:${one},clerk:act@9104+north-2:${other},plain:read:a@b:${third}`;
  expect(accessTokens(loadConfig({ ADMIN_TOKENS: limited }))).toEqual([
    {
      name: 'acme',
      roles: ['read', 'bodies'],
      token: one,
      limits: [
        { tenant: '9104', customer: '77' },
        { tenant: '9105', customer: '78' },
      ],
    },
    { name: 'clerk', roles: ['read', 'act'], token: other, limits: [{ tenant: '9104' }, { tenant: 'north-2' }] },
    { name: 'plain', roles: ['read'], token: `a@b:${third}` },
  ]);
});

it.each([
  [`acme:read@:${one}`, 'must limit a token to accounts or their customers'],
  [`acme:read@9104/:${one}`, 'must limit a token to accounts or their customers'],
  [`acme:read@9104/77/78:${one}`, 'must limit a token to accounts or their customers'],
  [`acme:read@9104 /77:${one}`, 'must limit a token to accounts or their customers'],
  [`acme:read@9104/077:${one}`, 'must limit a token to customers by their ids: 077 must be 77'],
  [`acme:read@9104/all:${one}`, 'must limit a token to customers by their ids: all must be the id of a customer'],
  [`acme:all@9104:${one}`, 'must not give a limited token the role manage, or all'],
  [`acme:read+manage@9104/77:${one}`, 'must not give a limited token the role manage, or all'],
])('%s is refused', (ADMIN_TOKENS, reason) => {
  expect(() => loadConfig({ ADMIN_TOKENS })).toThrow(`ADMIN_TOKENS: ${reason}`);
});

it('a limit that names no configured account is refused', () => {
  expect(() => loadConfig({ ...unreachable, ADMIN_TOKENS: `acme:read@9105/77:${one}` })).toThrow(
    'ADMIN_TOKENS: limits "acme" to 9105, which is no account here',
  );
  expect(loadConfig({ ...unreachable, ADMIN_TOKENS: `acme:read@9104/77:${one}` }).ADMIN_TOKENS).toHaveLength(1);
});
