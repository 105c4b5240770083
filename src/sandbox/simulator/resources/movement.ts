import type { MovementState } from '../state/transaction.ts';
import type { LocalTime } from '../time-format.ts';
import { type Resource, relation } from './resource.ts';
import type { Section, Sections } from './sections.ts';
import { linksOf, readOnlyFields } from './transaction.ts';

/**
 * Shows a receipt, adjustment or assembly; a receipt with the requested sections. The fields of adjustments and assemblies
 * are a guess after those of a receipt, with the item and quantity at the top level.
 */
export function toMovementResource(movement: MovementState, { detail }: Sections, localTime: LocalTime): Resource {
  const isReceipt = movement.kind === 'receipt';
  // The planned arrival until the receipt is closed, the real one from then on.
  const arrivalDate = localTime(movement.processed ?? movement.created);
  return {
    referenceNum: movement.referenceNum,
    ...(isReceipt ? { arrivalDate } : goods(movement)),
    readOnly: readOnlyFields(movement, localTime),
    _links: linksOf(movement),
    ...(isReceipt && receiptSections(movement, detail)),
  };
}

const goods = ({ item, qty }: MovementState): Resource => ({ itemIdentifier: item, qty });

function receiptSections(receipt: MovementState, detail: Sections['detail']): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const receiveItem = { readOnly: { receiveItemId: 880_000 + receipt.item.id }, ...goods(receipt) };
  return {
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: [receiveItem] } }),
  };
}
