import { expect, it } from 'vitest';
import { findTenant } from '../../src/domain/permission.ts';

const tenantOf = (id: string) => ({ id });

it('a tenant is found by its own id and by no other', () => {
  const tenants = [tenantOf('1'), tenantOf('2')];
  expect(findTenant(tenants, '2')).toBe(tenants[1]);
  expect(findTenant(tenants, '3')).toBeUndefined();
});
