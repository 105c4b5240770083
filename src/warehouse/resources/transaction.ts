import { z } from 'zod';
import type { RetrievedSubject } from '../../../activities/ports/retrieval.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import { parseExactly, readerOf } from '../../domain/json.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { id, identifier, lenient, rowsOf, withoutAbsent } from './resource.ts';

const present = z
  .unknown()
  .optional()
  .transform((value) => (value ? true : undefined));
const link = z.object({ href: z.string() });

const wireFacts = z.object({
  orderid: lenient(id),
  receiverid: lenient(id),
  status: lenient(id),
  isclosed: lenient(z.boolean()),
  defernotification: lenient(z.boolean()),
  fullyallocated: lenient(z.boolean()),
  pickdonedate: present,
  packstarted: present,
  packdonedate: present,
  customeridentifier: identifier,
  facilityidentifier: identifier,
  lastmodifiedbyidentifier: identifier,
});

type WireFacts = z.infer<typeof wireFacts>;

const wireTransaction = z.looseObject({
  referencenum: lenient(z.string()),
  readonly: lenient(z.looseObject({})),
  _links: lenient(z.record(z.string(), z.union([link, z.array(link)]).catch([]))),
});

type WireTransaction = z.infer<typeof wireTransaction>;

/** Kinds that are created, closed or completed, and canceled. */
export type TransactionKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/**
 * Creates the schema that reads the snapshot of a transaction: its facts are in `readOnly`, or else beside it. Any of them may be
 * missing, but not all.
 */
export function transactionSchema(kind: TransactionKind) {
  return wireTransaction
    .transform((wire) => ({ wire, facts: wireFacts.parse({ ...wire, ...wire.readonly }) }))
    .refine(({ facts }) => isKnown(facts), { path: ['readonly'] })
    .transform(({ wire, facts }): Omit<RetrievedSubject, 'body'> => {
      const lastModifiedBy = facts.lastmodifiedbyidentifier?.id;
      return {
        snapshot: { ...commonFacts(wire, facts), ...factsOf(kind, wire, facts) },
        ...(lastModifiedBy && lastModifiedBy !== SYSTEM_USER && { lastModifiedBy }),
      };
    });
}

const isKnown = (facts: WireFacts): boolean => Object.values(facts).some((fact) => fact !== undefined);

/** User that stands for the system itself. */
const SYSTEM_USER = '-1';

/** Meanings of `status` 0, 1 and 2; there is none for "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

/** Returns undefined if neither `status` nor `isClosed` says it. */
function statusOf({ status, isclosed }: WireFacts): Snapshot['status'] {
  return statuses[Number(status)] ?? (isclosed === undefined ? undefined : isclosed ? 'closed' : 'open');
}

function commonFacts({ referencenum }: WireTransaction, facts: WireFacts): Snapshot {
  const { customeridentifier: customer, facilityidentifier: facility } = facts;
  return withoutAbsent({
    status: statusOf(facts),
    referenceNumber: referencenum,
    customerId: customer?.id,
    customerName: customer?.name,
    facilityId: facility?.id,
    facilityName: facility?.name,
  });
}

function factsOf(kind: TransactionKind, wire: WireTransaction, facts: WireFacts): Snapshot {
  if (kind === 'order') return orderFacts(wire, facts);
  return kind === 'receipt' ? {} : movementFacts(facts);
}

/** Adjustments and assemblies are completed, not closed: `deferNotification` turns false while they stay open. */
function movementFacts(facts: WireFacts): Snapshot {
  const status = statusOf(facts);
  if (status === 'canceled') return {};
  if (status === 'closed') return { completed: true };
  return facts.defernotification === undefined ? {} : { completed: !facts.defernotification };
}

function orderFacts(wire: WireTransaction, facts: WireFacts): Snapshot {
  return withoutAbsent({
    fullyAllocated: facts.fullyallocated,
    pickDone: facts.pickdonedate ?? false,
    packStarted: facts.packstarted ?? false,
    packDone: facts.packdonedate ?? false,
    lineCount: linesIn(wire)?.length,
    pickJobId: pickJobIn(wire._links),
  });
}

function pickJobIn(links: WireTransaction['_links'] = {}): string | undefined {
  return Object.values(links)
    .flat()
    .map(({ href }) => /\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])
    .find(Boolean);
}

/** Relation of an order's lines. */
const ITEMS = /items?$/i;

/** Returns the lines in an order; undefined for one without that section. */
function linesIn(order: unknown): readonly unknown[] | undefined {
  const read = readerOf(order);
  return (
    rowsOf({ _embedded: read('_embedded') }, ITEMS) ??
    rowsOf(read('items')) ??
    rowsOf({ resourcelist: read('orderitems') })
  );
}

/** Returns the lines of an order as JSON text, digit by digit, by their ids. */
export function orderItemsIn(orderText: string): ReadonlyMap<string, string> {
  const lines = linesIn(parseExactly(orderText)) ?? [];
  return new Map(lines.map((line) => [String(readerOf(line)('readonly', 'orderitemid')), JSON.stringify(line)]));
}
