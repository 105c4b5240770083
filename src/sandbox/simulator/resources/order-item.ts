import type { OrderLine, OrderState } from '../state/order.ts';
import { link, type Resource } from './resource.ts';
import type { ItemSection } from './sections.ts';

/** Where a GET finds a line of an order. */
export function orderItemPath({ id }: OrderState, { orderItemId }: OrderLine): string {
  return `/orders/${id}/items/${orderItemId}`;
}

/** A line of an order as the API shows it, with those of its optional sections that were asked for. */
export function toOrderItemResource(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  return {
    readOnly: {
      orderItemId: line.orderItemId,
      fullyAllocated: order.fullyAllocated,
      unitIdentifier: { id: 1, name: 'Each' },
      ...allocations(order, line, sections),
    },
    itemIdentifier: line.item,
    qty: line.qty,
    ...(sections.has('savedElements') && { savedElements: [{ name: 'Engraving', value: 'none' }] }),
    _links: { self: link(orderItemPath(order, line)) },
  };
}

function allocations(order: OrderState, line: OrderLine, sections: ReadonlySet<ItemSection>): Resource {
  const withDetail = sections.has('allocationsWithDetail');
  if (!withDetail && !sections.has('allocations')) return {};
  if (!order.fullyAllocated) return { allocations: [] };
  const detail = withDetail && { detail: { locationIdentifier: { id: 31, name: 'A-04-2' }, receivedQty: 480 } };
  return { allocations: [{ receiveItemId: 880_000 + line.item.id, qty: line.qty, ...detail }] };
}
