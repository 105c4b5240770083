import fc from 'fast-check';
import { expect, it } from 'vitest';
import { families } from '../../src/domain/catalogue/catalogue.ts';
import { LONGEST_NAME, likeliest, readUnknown, sayUnknown } from '../../src/domain/unknown-name.ts';

it('is read from the reason that names it, whatever it contains', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: LONGEST_NAME }),
      fc.constantFrom(undefined, ...families),
      fc.boolean(),
      (name, family, isIgnored) => {
        const reason = sayUnknown(name, family ? [family] : [], isIgnored);
        expect(readUnknown(reason)).toEqual({ name, family });
      },
    ),
  );
  expect(readUnknown(sayUnknown('Update', ['receipt', 'order'], false))).toEqual({ name: 'Update' });
  const old =
    'unknown event "Gone" of an order; WEBHOOK_EVENT_ALIASES=order/Gone=OrderUpdate would take it as OrderUpdate';
  expect(readUnknown(old)).toEqual({ name: 'Gone', family: 'order' });
  expect(readUnknown('no event type')).toBeUndefined();
});

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
