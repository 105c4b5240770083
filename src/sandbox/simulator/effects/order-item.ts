import { lineOf, type OrderLine, type OrderState } from '../state/order.ts';
import type { Effect, Occurrence } from './occurrence.ts';

/** What each event of an order's line changes in the order, by the catalogue's names. */
export const orderItemEffects = {
  OrderItemPack: (order, occurrence) => changeLine(order, occurrence, { packed: true }),
  OrderItemUnpack: (order, occurrence) => changeLine(order, occurrence, { packed: false }),
  OrderItemPick: (order, occurrence) => changeLine(order, occurrence, { picked: true }),
  OrderItemUnpick: (order, occurrence) => changeLine(order, occurrence, { picked: false }),
} as const satisfies Record<string, Effect<OrderState>>;

function changeLine(
  order: OrderState,
  { orderItemId }: Occurrence,
  change: Partial<OrderLine>,
): Pick<OrderState, 'lines' | 'lastModifiedBy'> {
  const changed = lineOf(order, orderItemId);
  return {
    lines: order.lines.map((line) => (line === changed ? { ...line, ...change } : line)),
    lastModifiedBy: order.picker,
  };
}
