import type { MovementState } from '../state/movement.ts';
import type { LocalTime } from '../time-format.ts';
import { addresses, pathOf } from './address.ts';
import { link, type Resource, relation } from './resource.ts';
import type { Section, Sections } from './sections.ts';

/**
 * A receipt, adjustment or assembly as the API shows it; a receipt with those of its optional sections that were asked for.
 * The fields of adjustments and assemblies are a guess: those of a receipt, with the item and quantity in the open.
 */
export function toMovementResource(movement: MovementState, { detail }: Sections, localTime: LocalTime): Resource {
  const isReceipt = movement.kind === 'receipt';
  return {
    referenceNum: movement.referenceNum,
    ...(isReceipt ? { arrivalDate: localTime(arrivalOf(movement)) } : goods(movement)),
    readOnly: readOnlyFields(movement, localTime),
    _links: {
      self: link(pathOf(movement)),
      [relation('customers/customer')]: link(`/customers/${movement.customer.id}`),
    },
    ...(isReceipt && receiptSections(movement, detail)),
  };
}

function readOnlyFields(movement: MovementState, localTime: LocalTime): Resource {
  return {
    [addresses[movement.kind].idName]: movement.id,
    status: movement.status,
    isClosed: movement.status === 1,
    deferNotification: movement.deferNotification,
    customerIdentifier: movement.customer,
    facilityIdentifier: movement.facility,
    creationDate: localTime(movement.created),
    lastModifiedDate: localTime(movement.lastModified),
    lastModifiedByIdentifier: movement.lastModifiedBy,
  };
}

/** Planned until the receipt is closed, real from then on. */
function arrivalOf({ processed, created }: MovementState): number {
  return processed ?? created;
}

function goods({ item, qty }: MovementState): Resource {
  return { itemIdentifier: item, qty };
}

function receiptSections(receipt: MovementState, detail: Sections['detail']): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const receiveItem = { readOnly: { receiveItemId: 880_000 + receipt.item.id }, ...goods(receipt) };
  return {
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: [receiveItem] } }),
  };
}
