import type { ItemState } from '../state/item.ts';
import type { LocalTime } from '../time-format.ts';
import { link, type Resource } from './resource.ts';

/** Where a GET finds an item. */
export function itemPath({ id, customer }: ItemState): string {
  return `/customers/${customer.id}/items/${id}`;
}

/** An item as the API shows it; its fields are a guess after those of the other resources. */
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
