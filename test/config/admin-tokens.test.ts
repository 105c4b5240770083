import { expect, it } from 'vitest';
import { accessTokens } from '../../src/config/admin-tokens.ts';
import { loadConfig } from '../../src/config/config.ts';

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
