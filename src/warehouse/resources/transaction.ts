import { z } from 'zod';
import type { RetrievedSubject } from '../../../activities/ports.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { linesIn } from './order-items.ts';
import { id, lenient } from './resource.ts';

const identifier = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));
const present = z.unknown().optional().transform(Boolean);
const link = z.object({ href: z.string() });

const wireTransaction = z.looseObject({
  referencenum: lenient(z.string()),
  readonly: z.object({
    orderid: lenient(id),
    receiverid: lenient(id),
    status: lenient(id),
    isclosed: present,
    fullyallocated: present,
    pickdonedate: present,
    packstarted: present,
    packdonedate: present,
    customeridentifier: identifier,
    facilityidentifier: identifier,
    lastmodifiedbyidentifier: identifier,
  }),
  _links: lenient(z.record(z.string(), z.union([link, z.array(link)]).catch([]))),
});

type WireTransaction = z.infer<typeof wireTransaction>;

/** What is created, closed and canceled. */
export type TransactionKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/** The ids that have been seen in `readOnly`; those of adjustments and assemblies are unknown, so none is asked for. */
const idFields = { order: 'orderid', receipt: 'receiverid', adjustment: null, assembly: null } as const;

/**
 * What a transaction with its keys in lower case says of its life. `readOnly` has to be there, for orders and receipts with their
 * id; everything else is as good as absent where it is missing.
 */
export function transactionSchema(kind: TransactionKind) {
  const idField = idFields[kind];
  return wireTransaction
    .refine((wire) => idField === null || wire.readonly[idField] !== undefined, { path: ['readonly', idField ?? ''] })
    .transform((wire): Omit<RetrievedSubject, 'body'> => {
      const lastModifiedBy = wire.readonly.lastmodifiedbyidentifier?.id;
      return {
        snapshot: { ...commonFacts(wire), ...(kind === 'order' && orderFacts(wire)) },
        ...(lastModifiedBy && lastModifiedBy !== SYSTEM_USER && { lastModifiedBy }),
      };
    });
}

/** The user that stands for the system itself. */
const SYSTEM_USER = '-1';

/** What `status` 0, 1 and 2 stand for; there is none for "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

function commonFacts({ referencenum, readonly: facts }: WireTransaction): Snapshot {
  const { id: customerId, name: customerName } = facts.customeridentifier ?? {};
  const { id: facilityId, name: facilityName } = facts.facilityidentifier ?? {};
  return {
    status: statuses[Number(facts.status)] ?? (facts.isclosed ? 'closed' : 'open'),
    ...(referencenum && { referenceNumber: referencenum }),
    ...(customerId && { customerId }),
    ...(customerName && { customerName }),
    ...(facilityId && { facilityId }),
    ...(facilityName && { facilityName }),
  };
}

function orderFacts(wire: WireTransaction) {
  const { readonly: facts, _links } = wire;
  const pickJobId = pickJobIn(_links);
  const lines = linesIn(wire);
  return {
    fullyAllocated: facts.fullyallocated,
    pickDone: facts.pickdonedate,
    packStarted: facts.packstarted,
    packDone: facts.packdonedate,
    ...(lines && { lineCount: lines.length }),
    ...(pickJobId && { pickJobId }),
  };
}

function pickJobIn(links: WireTransaction['_links'] = {}): string | undefined {
  return Object.values(links)
    .flat()
    .map(({ href }) => /\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])
    .find(Boolean);
}
