import type { HoldState } from '../state/hold.ts';
import { omitNulls, type Resource } from './resource.ts';

/** A received item as a message shows it; its fields are a guess after those of stock and receipts. */
export function toHoldResource({
  id,
  customer,
  facility,
  item,
  qualifier,
  qty,
  onHold,
  onHoldReason,
}: HoldState): Resource {
  return omitNulls({
    readOnly: { receiveItemId: id, customerIdentifier: customer, facilityIdentifier: facility },
    itemIdentifier: item,
    qualifier,
    qty,
    onHold,
    onHoldReason,
  });
}
