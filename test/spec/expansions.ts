import { type Fact, shown } from './fact.ts';

/** The values of section 2.4: resource, parameter, value; `Itemdetail` goes with `detail=orderItems`. */
export const specifiedExpansions = [
  ['Order', 'detail', 'savedElements'],
  ['Order', 'detail', 'packages'],
  ['Order', 'detail', 'contacts'],
  ['Order', 'detail', 'billingDetails'],
  ['Order', 'detail', 'outboundSerialNumbers'],
  ['Order', 'detail', 'smallParcel'],
  ['Order', 'detail', 'parcelOptions'],
  ['Order', 'detail', 'orderItems'],
  ['Order', 'Itemdetail', 'savedElements'],
  ['Order', 'Itemdetail', 'allocations'],
  ['Order', 'Itemdetail', 'allocationsWithDetail'],
  ['Receipt', 'detail', 'SavedElements'],
  ['Receipt', 'detail', 'BillingDetails'],
  ['Receipt', 'detail', 'ReceiveItems'],
  ['Order item', 'detail', 'SavedElements'],
  ['Order item', 'detail', 'Allocations'],
  ['Order item', 'detail', 'AllocationsWithDetail'],
] as const;

/** The resources of section 6.2 that a message can carry: event type, resource, and the retrieval that returns the same. */
export const specifiedPayloads = [
  ['Order', 'Default', 'Get Order'],
  ['Order', 'Order custom fields', 'detail=savedElements'],
  ['Order', 'Packages', 'detail=packages'],
  ['Order', 'Contacts', 'detail=contacts'],
  ['Order', 'Billing details', 'detail=billingDetails'],
  ['Order', 'Outbound serial numbers', 'detail=outboundSerialNumbers'],
  ['Order', 'Small parcel', 'detail=smallParcel'],
  ['Order', 'Parcel options', 'detail=parcelOptions'],
  ['Order', 'Order items', 'detail=orderItems'],
  ['Order', 'Order items > Item custom fields', 'detail=orderItems&Itemdetail=savedElements'],
  ['Order', 'Order items > Allocations', 'detail=orderItems&Itemdetail=allocations'],
  ['Order', 'Order items > Allocations with detail', 'detail=orderItems&Itemdetail=allocationsWithDetail'],
  ['Receipt', 'Default', 'Get Receiver'],
  ['Receipt', 'Receipt custom fields', 'detail=SavedElements'],
  ['Receipt', 'Billing details', 'detail=BillingDetails'],
  ['Receipt', 'Receive items', 'detail=ReceiveItems'],
  ['Adjustment', 'Default', 'Get Adjustment'],
  ['Assembly', 'Default', 'Get Assembly'],
  ['Order item', 'Item custom fields', 'detail=SavedElements'],
  ['Order item', 'Allocations', 'detail=Allocations'],
  ['Order item', 'Allocations with detail', 'detail=AllocationsWithDetail'],
  ['Item', 'Default', 'Get Item'],
  ['Inventory summary', 'Default', 'Get Stock Summaries by SKU'],
  ['Inventory hold', 'Include resource in payload', 'none'],
] as const;

/** Every value of a `detail` parameter, and every resource that a message can carry. */
export const expansionFacts: readonly Fact[] = [
  ...specifiedExpansions.map(([resource, parameter, value]) =>
    shown('expansion', '2.4', `${resource}: ${parameter}=${value}`, [
      'spec/expansions',
      'an optional section > %s: %s=%s is asked for as it is written, and its section comes',
    ]),
  ),
  ...specifiedPayloads.map(([type, resource, same]) =>
    shown('expansion', '6.2', `${type} message: ${resource} (${same === 'none' ? 'no retrieval' : same})`, [
      'spec/payloads',
      'a resource in a message > a message about %s with the resource "%s" carries what its retrieval returns (%s), and is read',
    ]),
  ),
];
