import { expect, it } from 'vitest';
import { findTenant, type Tenant } from '../../../src/config/tenants/tenant.ts';
import { verification } from './verification.ts';

const tenantOf = (tenant: string | undefined): Tenant => ({
  id: tenant,
  endpoint: 'any',
  access: { baseUrl: '', authUrl: '', clientId: '', clientSecret: '', userLogin: '' },
  detail: { orderDetail: [], itemDetail: [], receiptDetail: [] },
  callsPerSecond: 1,
  verification: { ...verification, verify: 'none' },
  destination: { url: '', secret: '' },
});

it('a tenant stands for its own tenant, and for no other', () => {
  const tenants = [tenantOf('1'), tenantOf('2')];
  expect(findTenant(tenants, '2')).toBe(tenants[1]);
  expect(findTenant(tenants, '3')).toBeUndefined();
});

it('a tenant without a tenant stands behind every one', () => {
  const tenants = [tenantOf(undefined)];
  expect(findTenant(tenants, '3')).toBe(tenants[0]);
});
