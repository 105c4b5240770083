import type { Reader } from '../../base/json.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import { readFlag } from '../wire-values.ts';
import { goodsOf, lot, lotsOf } from './lots.ts';
import { amount, derivedList, section, text } from './section.ts';
import { article, statusOf } from './transaction.ts';

/** Of an adjustment or an assembly; names guessed from those of orders and receipts. */
export const movementLine = section(
  'movementLine',
  {
    ...article,
    unit: text('unitIdentifier.name', 'Unit of the quantity.'),
    quantity: amount('qty', 'Quantity, below zero for what is taken away.'),
    lots: derivedList(lot),
  },
  ({ quantity }, line, places) => ({ lots: lotsOf([goodsOf(quantity, line, places)]) }),
);

/** They are completed, not closed: `deferNotification` turns false while they stay open. */
export function movementState(_record: unknown, fact: Reader): Snapshot {
  const status = statusOf(fact);
  if (status === 'canceled') return {};
  if (status === 'closed') return { completed: true };
  const isDeferred = readFlag(fact('defernotification'));
  return isDeferred === undefined ? {} : { completed: !isDeferred };
}
