/** Who did it, for whom, and where, in everything that the stub warehouse answers. */
export const CUSTOMER_ID = 418;
export const USER_ID = 2110;

const dateAt = (step: number) => `2026-02-11T10:42:1${step}.063`;

/** An order as the API shows it after the given step of its life. */
export function orderResource(orderId: string, step: number): object {
  return {
    referenceNum: `REF-${orderId}`,
    poNum: `PO-${orderId}`,
    externalId: `EXT-${orderId}`,
    savedElements: [{ name: 'GiftWrap', value: 'false' }],
    readOnly: {
      orderId: Number(orderId),
      status: step >= 5 ? 1 : 0,
      isClosed: step >= 5,
      fullyAllocated: step >= 1,
      ...(step >= 2 && { pickDoneDate: dateAt(2) }),
      ...(step >= 3 && { packStarted: dateAt(3) }),
      ...(step >= 4 && { packDoneDate: dateAt(4) }),
      ...(step >= 5 && { processDate: dateAt(5) }),
      customerIdentifier: { id: CUSTOMER_ID, name: 'Cobalt Cycling', externalId: 'COBALT' },
      facilityIdentifier: { id: 12, name: 'Reno' },
      creationDate: dateAt(0),
      createdByIdentifier: { id: USER_ID, name: 'j.lindqvist' },
      lastModifiedDate: dateAt(step),
      lastModifiedByIdentifier: { id: USER_ID, name: 'j.lindqvist' },
    },
    _links: {
      self: { href: `/orders/${orderId}` },
      'http://api.3plCentral.com/rels/customers/customer': { href: `/customers/${CUSTOMER_ID}` },
      'http://api.3plCentral.com/rels/orders/pickjob': { href: `/orders/pickjobs/${orderId}` },
    },
    _embedded: { 'http://api.3plCentral.com/rels/orders/item': [line(orderId, 0), line(orderId, 1)] },
  };
}

const line = (orderId: string, index: number) => ({
  readOnly: {
    orderItemId: Number(orderId) * 10 + index,
    fullyAllocated: true,
    unitIdentifier: { id: 1, name: 'Each' },
  },
  itemIdentifier: { id: 7003 + index, sku: `TIRE-700C-${index}` },
  qty: 6,
  _links: { self: { href: `/orders/${orderId}/items/${Number(orderId) * 10 + index}` } },
});
