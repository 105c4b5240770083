import { expect, it } from 'vitest';
import { likeliest } from '../../src/domain/quarantine.ts';

it.each([
  ['OrderConfirmV2', 'order', 'OrderConfirm'],
  ['OrderUnconfirmedV2', 'order', 'OrderUnconfirm'],
  ['PackCompleteV2', 'order', 'OrderPackComplete'],
  ['ReceiptConfirmed', 'receipt', 'ReceiptConfirm'],
  ['ReceiptConfirmed', undefined, 'ReceiptConfirm'],
  ['OrderShipped', 'order', undefined],
  ['OrderTeleported', 'order', undefined],
  ['OrderPinged', 'order', undefined],
  ['出荷', 'order', undefined],
  ['', undefined, undefined],
] as const)('%j of %s looks like %s', (name, family, event) => {
  expect(likeliest({ name, family })?.name).toBe(event);
});
