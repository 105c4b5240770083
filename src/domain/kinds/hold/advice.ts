import { amount, derived, flag, id, section, text } from '../section.ts';
import { article, goodsOf, lot, lotsOf, parties } from '../transaction.ts';

export const holdAdvice = section(
  'hold',
  {
    lineId: id('readOnly.receiveItemId', 'Id of the received item in the warehouse.'),
    ...article,
    quantity: amount('qty', 'Quantity.'),
    isOnHold: flag('onHold', 'It must not be used for now.'),
    reason: text('onHoldReason', 'Why it must not.'),
    ...parties,
    lot: derived(lot.form),
  },
  ({ quantity }, record, places) => ({ lot: lotsOf([goodsOf(quantity, record, places)])?.[0] }),
);
