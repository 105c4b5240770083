import type { AnnouncementInput } from '../../../src/destinations/announcements/announcement-data.ts';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { type Stage, stageOf } from '../../../src/domain/lifecycle/stage.ts';

/** Id of the subject of each kind. */
export const exampleIds: Readonly<Record<SubjectKind, string>> = {
  order: '31004581',
  receipt: '2204417',
  adjustment: '5120',
  assembly: '774',
  item: '7001',
  hold: '880312',
  stock: '12.7001.',
};

const customer = { customerId: '418', customerName: 'Acme Tea' };
const facility = { facilityId: '12', facilityName: 'Portland' };

const statuses: { readonly [S in Stage]?: Snapshot['status'] } = {
  confirmed: 'closed',
  canceled: 'canceled',
  deleted: 'gone',
};

/** Returns the facts of an order, receipt, adjustment or assembly. */
function transactionFacts(kind: SubjectKind, { registers }: Lifecycle): Snapshot {
  const has = (register: 'allocation' | 'pick' | 'packStart' | 'pack', milestone: string) =>
    registers[register]?.milestone === milestone;
  const stage = stageOf({ registers });
  return {
    status: statuses[stage] ?? 'open',
    referenceNumber: 'PO-1001',
    ...customer,
    ...facility,
    ...(kind === 'order' && {
      fullyAllocated: has('allocation', 'fullyAllocated'),
      pickDone: has('pick', 'picked'),
      packStarted: has('packStart', 'packStarted'),
      packDone: has('pack', 'packed'),
      lineCount: 2,
    }),
    ...((kind === 'adjustment' || kind === 'assembly') && { completed: stage === 'completed' }),
  };
}

/** Returns the facts that the warehouse's record would show of a subject; null for what has them in its events. */
export function exampleFacts(kind: SubjectKind, lifecycle: Lifecycle): Snapshot | null {
  if (kind === 'stock' || kind === 'hold') return lifecycle.snapshot;
  if (kind !== 'item') return transactionFacts(kind, lifecycle);
  return { deactivated: stageOf(lifecycle) === 'deactivated', referenceNumber: 'TEA-100', ...customer };
}

/** Facts that an event of stock or of a hold carries. */
export const exampleShown = {
  stock: {
    facilityId: '12',
    referenceNumber: 'TEA-100',
    customerId: '418',
    levels: { totalReceived: 480, allocated: 24, available: 452, onHold: 4, onHand: 480 },
  },
  hold: { onHold: true, referenceNumber: 'TEA-100', customerId: '418', facilityId: '12' },
} as const satisfies { readonly [K in SubjectKind]?: Snapshot };

const item = { itemIdentifier: { id: 7001, sku: 'TEA-100' } };

/** Name of the id in the record of each kind of transaction. */
const idNames = {
  order: 'orderId',
  receipt: 'receiverId',
  adjustment: 'adjustmentId',
  assembly: 'assemblyId',
} as const;

/** Returns the warehouse's record of a subject, which has more fields than the example shows. */
function exampleRecord(kind: SubjectKind, { status, completed, fullyAllocated, ...facts }: Snapshot): object {
  const identifiers = {
    customerIdentifier: { id: 418, name: 'Acme Tea' },
    facilityIdentifier: { id: 12, name: 'Portland' },
  };
  if (kind === 'item') return { itemId: 7001, sku: 'TEA-100', readOnly: { deactivated: facts.deactivated } };
  if (kind === 'stock') return { facilityId: 12, ...item, qualifier: '', ...facts.levels };
  if (kind === 'hold') return { readOnly: { receiveItemId: 880312, ...identifiers }, ...item, onHold: facts.onHold };
  return {
    referenceNum: 'PO-1001',
    readOnly: {
      [idNames[kind]]: Number(exampleIds[kind]),
      status: status === 'closed' ? 1 : status === 'canceled' ? 2 : 0,
      ...(completed !== undefined && { deferNotification: !completed }),
      ...(fullyAllocated !== undefined && { fullyAllocated }),
      ...(facts.pickDone && { pickDoneDate: '2026-02-11T10:42:19' }),
      ...(facts.packDone && { packDoneDate: '2026-02-11T11:05:02' }),
      ...identifiers,
    },
  };
}

/** Returns the records that an announcement of a subject embeds, as JSON text. */
export function exampleResources(kind: SubjectKind, facts: Snapshot): AnnouncementInput['resources'] {
  const records = {
    [kind]: exampleRecord(kind, facts),
    orderItem: { readOnly: { orderItemId: 310045810 }, ...item, qty: 12 },
    customer: { readOnly: { customerId: 418 }, companyInfo: { companyName: 'Acme Tea' } },
    user: { readOnly: { userId: 2108 }, name: 'Ada' },
    pickList: { readOnly: { pickJobId: 71 }, lines: [{ orderItemId: 310045810, qtyPicked: 12 }] },
  };
  return Object.fromEntries(Object.entries(records).map(([name, record]) => [name, JSON.stringify(record)]));
}
