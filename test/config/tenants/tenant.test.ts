import { expect, it } from 'vitest';
import { findTenant, type TenantSettings } from '../../../src/config/tenants/tenant.ts';
import { standardPaths } from '../../../src/domain/catalogue/paths.ts';
import { standardProperties } from '../../../src/domain/catalogue/properties.ts';

const tenantOf = (tenant: string | undefined): TenantSettings => ({
  id: tenant,
  endpoint: 'any',
  baseUrl: '',
  authUrl: '',
  clientId: '',
  clientSecret: '',
  userLogin: '',
  orderDetail: [],
  itemDetail: [],
  receiptDetail: [],
  paths: standardPaths,
  properties: standardProperties,
  callsPerSecond: 1,
  webhook: { verify: 'none' },
  destinations: [{ name: 'default', url: '', secret: [] }],
  deadlines: [],
});

it('a tenant is found by its own id and by no other', () => {
  const tenants = [tenantOf('1'), tenantOf('2')];
  expect(findTenant(tenants, '2')).toBe(tenants[1]);
  expect(findTenant(tenants, '3')).toBeUndefined();
});

it('a tenant without an id is found by every id', () => {
  const tenants = [tenantOf(undefined)];
  expect(findTenant(tenants, '3')).toBe(tenants[0]);
});
