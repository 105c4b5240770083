import type { HoldState, ItemState, StockState } from '../state/inventory.ts';
import { type LocalTime, link, omitNulls, type Resource } from './resource.ts';

export const itemPath = ({ id, customer }: ItemState): string => `/customers/${customer.id}/items/${id}`;

/** Shows an item. The fields are a guess after those of the other resources. */
export function toItemResource(item: ItemState, localTime: LocalTime): Resource {
  return {
    itemId: item.id,
    sku: item.sku,
    description: item.description,
    readOnly: {
      deactivated: item.deactivated,
      creationDate: localTime(item.created),
      lastModifiedDate: localTime(item.lastModified),
      customerIdentifier: item.customer,
      lastModifiedByIdentifier: item.lastModifiedBy,
    },
    _links: { self: link(itemPath(item)) },
  };
}

/** Path of the stock summaries; a single one has no path of its own. */
export const stockSummariesPath = '/inventory/stocksummaries';

/** Shows stock as a row of the stock summaries. */
export function toStockResource({ item, qualifier, levels, facility }: StockState): Resource {
  return { itemIdentifier: item, qualifier, ...levels, facilityId: facility.id };
}

/** Shows a received item. The fields are a guess after those of stock and receipts. */
export function toHoldResource({ id, customer, facility, item, ...hold }: HoldState): Resource {
  const { qualifier, qty, onHold, onHoldReason } = hold;
  return omitNulls({
    readOnly: { receiveItemId: id, customerIdentifier: customer, facilityIdentifier: facility },
    itemIdentifier: item,
    qualifier,
    qty,
    onHold,
    onHoldReason,
  });
}
