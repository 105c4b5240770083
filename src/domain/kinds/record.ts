import { type Reader, readerOf } from '../../base/json.ts';
import { lastMember } from '../../base/text.ts';
import { customersIn } from '../catalogue/record-customer.ts';
import { type OwnFacts, readFacts } from '../catalogue/record-facts.ts';
import { isSwept, kindOf, type SubjectKind } from '../catalogue/subject.ts';
import { CREATED, type DeadlineFacts, datesOf, savedElementDate } from '../deadlines/rule.ts';
import { type Snapshot, snapshot } from '../lifecycle/snapshot.ts';
import { readId, readText } from '../wire-values.ts';
import { advicePlaces, readState } from './advice.ts';
import { exact, type Places, readAt } from './section.ts';
import { carrier, factReader, readParties, statusOf } from './transaction.ts';

export interface Reading {
  readonly snapshot: Snapshot;
  /** Absent where the answer is no record of its own. */
  readonly facts?: OwnFacts;
  /** Absent for the system itself. */
  readonly lastModifiedBy?: string;
  readonly disputed?: true;
  readonly isUnreadable?: true;
}

export function readRecord(kind: SubjectKind, record: unknown, places: Places = advicePlaces): Reading {
  const found = readRow(kind, record, places);
  return found.disputed ? found : { ...found, facts: readFacts(kind, record, places) };
}

/** A listed record has at least one; without any it is in another form. */
const anyFact = [
  'status',
  'isclosed',
  'defernotification',
  'fullyallocated',
  'pickdonedate',
  'packstarted',
  'packdonedate',
  'customeridentifier',
  'customerid',
  'facilityidentifier',
  'lastmodifiedbyidentifier',
];

export function readRow(kind: SubjectKind, record: unknown, places: Places = advicePlaces): Reading {
  const read = readerOf(record);
  const fact = factReader(read);
  const { id = '', isIdGuessed } = kindOf(kind);
  const known = isIdGuessed ? anyFact : [...anyFact, lastMember(id).toLowerCase()];
  if (isSwept(kind) && known.every((name) => fact(name) === undefined)) return { snapshot: {}, isUnreadable: true };
  const { facility } = readParties(record, places);
  const state = {
    status: isSwept(kind) ? statusOf(fact) : undefined,
    ...readState(kind, record, fact),
    referenceNumber: numberAt(record, kind, places),
    ...(isSwept(kind) && { facilityId: facility?.id, facilityName: facility?.name }),
  };
  const lastModifiedBy = isSwept(kind) ? readId(fact('lastmodifiedbyidentifier', 'id')) : undefined;
  return { ...withCustomer(record, exact(state), places), ...(lastModifiedBy !== undefined && { lastModifiedBy }) };
}

/** `orderNumber` of an order, or the SKU of what has none. */
function numberAt(record: unknown, kind: SubjectKind, places: Places): string | undefined {
  const place = places[`${kind}.${kind}Number`] ?? places[`${kind}.sku`];
  return place === undefined ? undefined : readAt(record, place, readText);
}

/** Decide the lifecycle, whoever the record is of. */
const lifecycleFacts = snapshot
  .pick({ status: true, completed: true, fullyAllocated: true, pickDone: true, packStarted: true, packDone: true })
  .extend(snapshot.pick({ deactivated: true, onHold: true, lineCount: true }).shape);

/** One that names several customers is nobody's: its numbers would stand on the page of whoever it was of before. */
function withCustomer(record: unknown, state: Snapshot, places: Places): Pick<Reading, 'snapshot' | 'disputed'> {
  const [customerId, other] = customersIn(readerOf(record));
  if (other !== undefined) return { snapshot: exact(lifecycleFacts.strip().parse(state)), disputed: true };
  const { customer } = readParties(record, places);
  return { snapshot: { ...state, ...exact({ customerId, customerName: customer?.name }) } };
}

export function readDeadlineFacts(
  kind: SubjectKind,
  record: unknown,
  places: Places = advicePlaces,
): Pick<DeadlineFacts, 'facilityId' | 'carrier' | 'service' | 'dates'> {
  const read = readerOf(record);
  return {
    facilityId: readParties(record, places).facility?.id,
    carrier: carrier.read(record, places).name,
    service: kindOf(kind).isRouted ? readAt(record, places['order.service'] ?? '', readText) : undefined,
    dates: Object.fromEntries([...savedElementsIn(read), ...datesIn(kind, factReader(read))]),
  };
}

const LONGEST_DATE = 40;

const readDate = (value: unknown): string | undefined => {
  const text = readText(value);
  return text !== undefined && text.length <= LONGEST_DATE ? text : undefined;
};

const datesIn = (kind: SubjectKind, fact: Reader): [string, string | undefined][] =>
  datesOf(kind).map((name) => [name, readDate(fact(name === CREATED ? 'creationdate' : name.toLowerCase()))]);

/** Of several with one name, the first that may be a date counts. */
function savedElementsIn(read: Reader): [string, string][] {
  const elements = read('savedelements');
  if (!Array.isArray(elements)) return [];
  return elements.toReversed().flatMap((element): [string, string][] => {
    const member = readerOf(element);
    const name = readText(member('name'));
    const date = readDate(member('value'));
    return name === undefined || date === undefined ? [] : [[savedElementDate(name), date]];
  });
}
