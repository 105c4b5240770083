import { isObject, type Reader, readerOf } from '../../base/json.ts';
import { customersIn } from '../../domain/catalogue/record-customer.ts';
import { linesIn } from '../../domain/catalogue/rows.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Snapshot } from '../../domain/lifecycle/snapshot.ts';
import { readFlag, readHappened, readId, readNumber, readText } from '../../domain/wire-values.ts';
import type { RetrievedSubject } from '../gets.ts';
import { disputed, factReader, readIdentifier, withoutAbsent } from './resource.ts';

/** Kinds that are created, closed or completed, and canceled. */
export type TransactionKind = Exclude<SubjectKind, 'item' | 'stock' | 'hold'>;

/** Facts of which a transaction has at least one; without any it is in another form. */
const facts = [
  'orderid',
  'receiverid',
  'status',
  'isclosed',
  'defernotification',
  'fullyallocated',
  'pickdonedate',
  'packstarted',
  'packdonedate',
  'customeridentifier',
  'facilityidentifier',
  'lastmodifiedbyidentifier',
];

/** Reads the snapshot of a transaction. Any of its facts may be missing; a record without any is `isUnreadable`. */
export function readTransaction(kind: TransactionKind, record: unknown): Omit<RetrievedSubject, 'body'> {
  const read = readerOf(record);
  const fact = factReader(read);
  if (facts.every((name) => fact(name) === undefined)) return { snapshot: {}, isUnreadable: true };
  const { id: lastModifiedBy } = readIdentifier(fact, 'lastmodifiedbyidentifier');
  const found = {
    snapshot: { ...commonFacts(read, fact), ...factsOf(kind, record, fact) },
    ...(lastModifiedBy !== undefined && { lastModifiedBy }),
  };
  return customersIn(read).length > 1 ? disputed(found) : found;
}

/** Meanings of `status` 0, 1 and 2; there is none for "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

/** Returns undefined if neither `status` nor `isClosed` says it. */
function statusOf(fact: Reader): Snapshot['status'] {
  const isClosed = readFlag(fact('isclosed'));
  const otherwise = isClosed === undefined ? undefined : isClosed ? 'closed' : 'open';
  return statuses[readNumber(fact('status')) ?? Number.NaN] ?? otherwise;
}

function commonFacts(read: Reader, fact: Reader): Snapshot {
  const customer = readIdentifier(fact, 'customeridentifier');
  const facility = readIdentifier(fact, 'facilityidentifier');
  return withoutAbsent({
    status: statusOf(fact),
    referenceNumber: readText(read('referencenum')),
    customerId: customer.id,
    customerName: customer.name,
    facilityId: facility.id,
    facilityName: facility.name,
  });
}

function factsOf(kind: TransactionKind, record: unknown, fact: Reader): Snapshot {
  if (kind === 'order') return orderFacts(record, fact);
  return kind === 'receipt' ? {} : movementFacts(fact);
}

/** Adjustments and assemblies are completed, not closed: `deferNotification` turns false while they stay open. */
function movementFacts(fact: Reader): Snapshot {
  const status = statusOf(fact);
  if (status === 'canceled') return {};
  if (status === 'closed') return { completed: true };
  const isDeferred = readFlag(fact('defernotification'));
  return isDeferred === undefined ? {} : { completed: !isDeferred };
}

function orderFacts(record: unknown, fact: Reader): Snapshot {
  return withoutAbsent({
    fullyAllocated: readFlag(fact('fullyallocated')),
    pickDone: readHappened(fact('pickdonedate')) ?? false,
    packStarted: readHappened(fact('packstarted')) ?? false,
    packDone: readHappened(fact('packdonedate')) ?? false,
    lineCount: linesIn(record)?.length,
    pickJobId: pickJobIn(readerOf(record)('_links')),
  });
}

function pickJobIn(links: unknown): string | undefined {
  if (!isObject(links)) return undefined;
  const hrefs = Object.values(links)
    .flat()
    .map((link) => readText(readerOf(link)('href')) ?? '');
  return hrefs.map((href) => readId(/\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])).find(Boolean);
}

/** Returns the lines of an order that was parsed exactly, as JSON text by their ids. */
export function orderItemsIn(order: unknown): ReadonlyMap<string, string> {
  const lines = linesIn(order) ?? [];
  return new Map(lines.map((line) => [readId(readerOf(line)('readonly', 'orderitemid')) ?? '', JSON.stringify(line)]));
}
