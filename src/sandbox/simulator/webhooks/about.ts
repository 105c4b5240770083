import { addresses, pathOf, stockSummariesPath } from '../resources/address.ts';
import { itemPath } from '../resources/item.ts';
import { orderItemPath, toOrderItemResource } from '../resources/order-item.ts';
import type { Resource } from '../resources/resource.ts';
import type { Sections } from '../resources/sections.ts';
import { toSubjectResource } from '../resources/subject.ts';
import type { OrderLine, OrderState } from '../state/order.ts';
import type { SubjectState } from '../state/subject.ts';
import type { LocalTime } from '../time-format.ts';

/** What a message is about, in its own words; all but an order's are a guess after those. */
export interface About {
  readonly rel: string;
  readonly path: string;
  /** The parameters by which a GET shows the same sections. */
  readonly query: Readonly<Record<string, ReadonlySet<string>>>;
  /** Its `data`. */
  readonly ids: Readonly<Record<string, string>>;
  readonly body: Resource;
}

/** What a message about a subject says of it. */
export function aboutSubject(state: SubjectState, sections: Sections, localTime: LocalTime): About {
  const { detail, itemDetail } = sections;
  return {
    ...whereabouts(state),
    query: { detail, itemdetail: itemDetail },
    body: toSubjectResource(state, sections, localTime),
  };
}

/** What a message about a line of an order says of it. */
export function aboutLine(order: OrderState, line: OrderLine, { itemDetail }: Sections): About {
  return {
    rel: 'orders/item',
    path: orderItemPath(order, line),
    query: { detail: itemDetail },
    ids: { OrderId: String(order.id), OrderItemId: String(line.orderItemId) },
    body: toOrderItemResource(order, line, itemDetail),
  };
}

function whereabouts(state: SubjectState): Pick<About, 'rel' | 'path' | 'ids'> {
  const id = String(state.id);
  switch (state.kind) {
    case 'item': {
      const ids = { ItemId: id, CustomerId: String(state.customer.id) };
      return { rel: 'customers/item', path: itemPath(state), ids };
    }
    case 'stock': {
      const { facility, item, qualifier } = state;
      const ids = { FacilityId: String(facility.id), ItemId: String(item.id), Qualifier: qualifier };
      return { rel: 'inventory/stocksummary', path: stockSummariesPath, ids };
    }
    case 'hold':
      return { rel: 'inventory/receiveitem', path: `/inventory/receiveitems/${id}`, ids: { ReceiveItemId: id } };
    default: {
      const { rel, idName } = addresses[state.kind];
      return { rel, path: pathOf(state), ids: { [capitalize(idName)]: id } };
    }
  }
}

/** A name as PascalCase writes it. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
