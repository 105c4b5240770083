import { expect, it } from 'vitest';
import { findOperator, type Operator } from '../../../src/config/tenants/tenant.ts';
import { verification } from './verification.ts';

const operatorOf = (tenant: string | undefined): Operator => ({
  tenant,
  endpoint: 'any',
  access: { baseUrl: '', authUrl: '', clientId: '', clientSecret: '', userLogin: '' },
  detail: { orderDetail: [], itemDetail: [], receiptDetail: [] },
  callsPerSecond: 1,
  verification: { ...verification, verify: 'none' },
  destination: { url: '', secret: '' },
});

it('a tenant stands for its own operator, and for no other', () => {
  const operators = [operatorOf('1'), operatorOf('2')];
  expect(findOperator(operators, '2')).toBe(operators[1]);
  expect(findOperator(operators, '3')).toBeUndefined();
});

it('an operator without a tenant stands behind every one', () => {
  const operators = [operatorOf(undefined)];
  expect(findOperator(operators, '3')).toBe(operators[0]);
});
