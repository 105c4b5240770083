import { z } from 'zod';
import type { RetrievedSubject } from '../../../activities/ports/retrieval.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import { parseExactly, readerOf } from '../../domain/json.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { id, lenient, rowsOf } from './resource.ts';

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

/** Kinds that are created, closed and canceled. */
export type TransactionKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/** Names of the ids in `readOnly`; those of adjustments and assemblies are unknown, so none is required. */
const idFields = { order: 'orderid', receipt: 'receiverid', adjustment: null, assembly: null } as const;

/**
 * Creates the schema that reads the snapshot of a transaction. `readOnly` is required, for orders and receipts with their id;
 * everything else may be missing.
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

/** User that stands for the system itself. */
const SYSTEM_USER = '-1';

/** Meanings of `status` 0, 1 and 2; there is none for "complete". */
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

/** Returns the lines in an order; undefined for one without that section. */
function linesIn(order: unknown): readonly unknown[] | undefined {
  const read = readerOf(order);
  return (
    rowsOf({ _embedded: read('_embedded') }) ?? rowsOf(read('items')) ?? rowsOf({ resourcelist: read('orderitems') })
  );
}

/** Returns the lines of an order as JSON text, digit by digit, by their ids. */
export function orderItemsIn(orderText: string): ReadonlyMap<string, string> {
  const lines = linesIn(parseExactly(orderText)) ?? [];
  return new Map(lines.map((line) => [String(readerOf(line)('readonly', 'orderitemid')), JSON.stringify(line)]));
}
