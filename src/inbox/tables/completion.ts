import { type Kysely, sql } from 'kysely';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import type { Entry } from '../../domain/quarantine.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { bytesReceived } from './quarantined.ts';
import { soughtBy } from './waiting.ts';

type Repeated = Entry & { readonly event: WarehouseEvent };

/**
 * Two webhooks may report one event, one with the resource. The message with the record wins, and among equals the longer; what only one
 * names is kept. What was recorded stays. Returns entries of other events than those stored under their ids.
 */
export async function mergeDeliveries(intake: Kysely<Database>, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const repeated = entries.filter((entry): entry is Repeated => entry.event !== undefined);
  if (repeated.length === 0) return [];
  const rows = await rowsOf(intake, 'inbox', {
    quarantine_code: null,
    retained: 'all',
    event_id: repeated.map(({ eventId }) => eventId),
  })
    .where('event', 'is not', null)
    .select(['event_id', 'subject_key', 'event'])
    .select(bytesReceived.as('bytes'))
    .$narrowType<{ event: string }>()
    .execute();
  const stored = new Map<string, StoredEvent>(rows.map((row) => [row.event_id, row]));
  // One row at a time: a transaction that locked several could wait for one that records them.
  const others: Entry[] = [];
  for (const entry of repeated) {
    const row = stored.get(entry.eventId);
    if (row && isSameEvent(row, entry)) {
      stored.set(entry.eventId, await complete(intake, row, entry));
    } else if (row) others.push(entry);
  }
  return others;
}

/** A repeated id with another subject or name does not say which event it is of. */
const isSameEvent = (row: StoredEvent, { subjectKey, event }: Repeated): boolean =>
  row.subject_key === subjectKey && eventOf(row).name === event.name;

const eventOf = ({ event }: StoredEvent): WarehouseEvent => JSON.parse(event);

interface StoredEvent {
  readonly subject_key: string | null;
  readonly event: string;
  readonly bytes: number;
}

async function complete(intake: Kysely<Database>, row: StoredEvent, entry: Repeated): Promise<StoredEvent> {
  const { body } = entry;
  const bytes = body.byteLength;
  const known = eventOf(row);
  const isRicher = hasRecord(entry.event) === hasRecord(known) ? bytes > row.bytes : hasRecord(entry.event);
  const merged = merge(known, entry.event, isRicher);
  if (!merged) return row;
  const event = JSON.stringify(merged);
  await intake.transaction().execute((transaction) =>
    // It may have been completed by another process meanwhile, or purged.
    changeRows(transaction, 'inbox', { event_id: entry.eventId, event: row.event, retained: 'all' })
      .set({
        event,
        ...soughtBy(merged),
        ...(isRicher && { body, customer_id: customerAfter(merged) }),
      })
      .execute(),
  );
  return { ...row, event, bytes: isRicher ? bytes : row.bytes };
}

/** Nobody, if the message that replaced another names another customer, or several. */
function customerAfter({ names, disputed }: WarehouseEvent) {
  if (disputed) return null;
  return names === undefined
    ? sql.ref<string>('customer_id')
    : sql<string>`case customer_id when ${names} then customer_id end`;
}

/** Of stock: a row with amounts. */
const hasRecord = ({ carriesResource, shown }: WarehouseEvent): boolean =>
  carriesResource === true || Object.keys(shown?.levels ?? {}).length > 0;

/** The preferred one last; undefined if that changes nothing. */
function merge(known: WarehouseEvent, other: WarehouseEvent, prefersOther: boolean): WarehouseEvent | undefined {
  const [rest, preferred] = prefersOther ? [known, other] : [other, known];
  const shown = { ...rest.shown, ...preferred.shown };
  const { id, time, trace } = known;
  const merged = {
    ...rest,
    ...preferred,
    id,
    time,
    ...(trace !== undefined && { trace }),
    ...((rest.shown || preferred.shown) && { shown }),
  };
  const isSame = Object.keys(merged).length === Object.keys(known).length && !prefersOther;
  return isSame && Object.keys(shown).length === Object.keys(known.shown ?? {}).length ? undefined : merged;
}
