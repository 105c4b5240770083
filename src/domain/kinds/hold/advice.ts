import { goodsOf, lot, lotsOf } from '../lots.ts';
import { amount, derived, flag, id, section, text } from '../section.ts';
import { parties } from '../transaction.ts';

export const holdAdvice = section(
  'hold',
  {
    lineId: id('readOnly.receiveItemId', 'Id of the received item in the warehouse.'),
    sku: text('itemIdentifier.sku', 'SKU.'),
    itemId: id('itemIdentifier.id', 'Id of the item in the warehouse.'),
    qualifier: text('qualifier', 'Qualifier, by which stock of one item is told apart.'),
    quantity: amount('qty', 'Quantity.'),
    isOnHold: flag('onHold', 'It must not be used for now.'),
    reason: text('onHoldReason', 'Why it must not.'),
    ...parties,
    lot: derived(lot.form),
  },
  ({ quantity }, record, places) => ({ lot: lotsOf([goodsOf(quantity, record, places)])?.[0] }),
);
