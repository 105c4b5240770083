import { z } from 'zod';
import { readerOf } from '../../../base/json.ts';
import { derived, id, section, text } from '../section.ts';
import { readLevels } from './summary.ts';

const level = derived(z.number());

export const stockAdvice = section(
  'stock',
  {
    sku: text('itemIdentifier.sku', 'SKU.'),
    itemId: id('itemIdentifier.id', 'Id of the item in the warehouse.'),
    qualifier: text('qualifier', 'Qualifier, by which stock of one item is told apart.'),
    facilityId: id('facilityId', 'Id of the facility.'),
    totalReceived: level,
    allocated: derived(
      z.number(),
      'Quantity that was reserved, with what has shipped since: it is no measure of what is reserved now. What can be sold is `available`.',
    ),
    available: level,
    onHold: level,
    onHand: level,
  },
  (_, row) => readLevels(readerOf(row)),
);
