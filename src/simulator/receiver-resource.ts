import type { Receiver } from './directory.ts';
import { link, type Resource, relation } from './resource.ts';
import type { ReceiverSection } from './sections.ts';
import { toLocalTime } from './time-format.ts';

/** A receipt as the API shows it, with those of its optional sections that were asked for. */
export function toReceiverResource(receiver: Receiver, sections: ReadonlySet<ReceiverSection>): Resource {
  const wanted = (section: ReceiverSection, fields: Resource) => (sections.has(section) ? fields : {});
  return {
    referenceNum: receiver.referenceNum,
    arrivalDate: toLocalTime(receiver.arrival),
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    readOnly: {
      receiverId: receiver.receiverId,
      status: receiver.status,
      deferNotification: false,
      customerIdentifier: receiver.customer,
      facilityIdentifier: receiver.facility,
      creationDate: toLocalTime(receiver.arrival),
      lastModifiedDate: toLocalTime(receiver.arrival),
    },
    _links: { self: link(`/inventory/receivers/${receiver.receiverId}`) },
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: [receiveItem(receiver)] } }),
  };
}

function receiveItem({ item, qty }: Receiver): Resource {
  return { readOnly: { receiveItemId: 880_000 + item.id }, itemIdentifier: item, qty };
}
