import { z } from 'zod';
import { cutting, derived, isCut, list, section, text, unlessEmpty } from '../section.ts';
import { movementLine, movementState, parties } from '../transaction.ts';

/** One item at the top of the record, or a list of them. */
const advice = section(
  'adjustment',
  {
    adjustmentNumber: text('referenceNum', "The customer's own number of the adjustment."),
    reason: text('reason', 'Why stock was corrected.'),
    ...parties,
    lines: list('adjustmentItems', movementLine),
    totals: derived(z.strictObject({ lines: z.int() })),
    isCut: isCut(),
  },
  ({ lines: listed }, record, places) => {
    const rows = listed ?? [movementLine.read(record, places)];
    const lines = unlessEmpty(rows.filter(({ sku, itemId }) => (sku ?? itemId) !== undefined));
    return { lines, totals: lines && { lines: lines.length } };
  },
);

export const adjustmentAdvice = { ...cutting(advice), state: movementState };
