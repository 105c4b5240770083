import { z } from 'zod';
import { readerOf } from '../../../base/json.ts';
import { derived, id, section } from '../section.ts';
import { article } from '../transaction.ts';
import { readLevels } from './summary.ts';

const level = derived(z.number());

export const stockAdvice = section(
  'stock',
  {
    ...article,
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
