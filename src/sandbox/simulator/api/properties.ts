import type { Listing } from './listings.ts';
import { propertiesIn } from './rql.ts';
import { vendorError } from './vendor-error.ts';

const transaction = [
  ...['referenceNum', 'readOnly.status', 'readOnly.isClosed', 'readOnly.deferNotification'],
  ...['readOnly.creationDate', 'readOnly.lastModifiedDate', 'readOnly.lastModifiedByIdentifier.id'],
  ...['readOnly.customerIdentifier.id', 'readOnly.facilityIdentifier.id'],
];

/** Properties by which the rows of each kind can be filtered and sorted. The lists are guesses. */
const supported: Readonly<Record<Listing['kind'], readonly string[]>> = {
  order: [
    ...[...transaction, 'poNum', 'externalId', 'readOnly.orderId', 'readOnly.fullyAllocated', 'readOnly.processDate'],
    ...['readOnly.pickDoneDate', 'readOnly.packDoneDate'],
  ],
  receipt: [...transaction, 'poNum', 'readOnly.receiverId', 'arrivalDate', 'expectedDate'],
  adjustment: [...transaction, 'readOnly.adjustmentId', 'itemIdentifier.id', 'itemIdentifier.sku'],
  assembly: [...transaction, 'readOnly.assemblyId', 'itemIdentifier.id', 'itemIdentifier.sku'],
  stock: [
    'facilityId',
    'itemIdentifier.id',
    'itemIdentifier.sku',
    'qualifier',
    'onHand',
    'available',
    'allocated',
    'onHold',
  ],
};

/** Refuses a query with a property that is unknown or among the refused ones, in any case. Throws a VendorError. */
export function refuseProperties(
  { kind }: Pick<Listing, 'kind'>,
  { rql, sort }: { readonly rql: string; readonly sort: string },
  refused: readonly string[],
): void {
  const known = new Set(supported[kind].map(toKey));
  for (const property of refused) known.delete(toKey(property));
  const unsupported = [...propertiesIn(rql), ...sortKeys(sort)].filter((property) => !known.has(toKey(property)));
  if (unsupported.length > 0)
    throw vendorError(400, 'NotSupported', `Properties not supported: ${unsupported.join(', ')}`);
}

const toKey = (property: string): string => property.toLowerCase();

const sortKeys = (sort: string): string[] =>
  sort
    .split(',')
    .map((key) => key.trim().replace(/^[+-]/, ''))
    .filter(Boolean);
