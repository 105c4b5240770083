import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import type { Quarantined } from '../../domain/quarantine.ts';
import { readResource } from './payload.ts';
import { createRowNames, findStockRows, identifyRow, ROWS_LIMIT } from './stock-rows.ts';

/** Row of a message, as a message of its own: an event, or the reason why it is quarantined. */
export type MessageRow = {
  /** Name within the message. */
  readonly name: string;
  /** JSON text that reads as the row's event. */
  readonly body: string;
} & ({ readonly event: WarehouseEvent } | Quarantined);

/** Event of a message with several rows: all of it but its subject and state. */
type SharedEvent = Omit<WarehouseEvent, 'subjectId' | 'shown'> & { readonly customerOfRows: string | undefined };

/** Splits a delivery into its stock rows, each with every digit of its numbers, or returns the reason why all of it is quarantined. */
export function splitRows(
  raw: Uint8Array,
  shared: SharedEvent,
): { readonly rows: readonly MessageRow[] } | Quarantined {
  const rows = findStockRows(readResource(raw)) ?? [];
  if (rows.length > ROWS_LIMIT) return { quarantined: `more than ${ROWS_LIMIT} stock summaries in one message` };
  const nameOf = createRowNames();
  const read = rows.map((row) => readRow(row, shared, nameOf));
  const [first] = read;
  // One reason says as much as thousands.
  return first && 'quarantined' in first && read.every((row) => 'quarantined' in row)
    ? { quarantined: `${first.quarantined} in any of ${read.length} rows` }
    : { rows: read };
}

function readRow(row: unknown, shared: SharedEvent, nameOf: ReturnType<typeof createRowNames>): MessageRow {
  // Read from text, because numbers with all their digits are no numbers to read.
  const identity = identifyRow(typeof row === 'string' ? row : JSON.stringify(row));
  const body = writeRow(row, shared);
  if ('quarantined' in identity) return { name: nameOf({ text: body, subjectId: undefined }), body, ...identity };
  const { customerOfRows: customerId, ...common } = shared;
  const { subjectId, shown } = identity;
  const event = { ...common, subjectId, shown: { ...shown, ...(customerId && { customerId }) } };
  return { name: nameOf({ text: body, subjectId }), body, event };
}

/** Writes a message of bounded size with the row in it: stored rows together are about as large as their message. */
function writeRow(row: unknown, { tenant, name, time, userId, customerOfRows }: SharedEvent): string {
  return JSON.stringify({
    tplId: tenant,
    eventType: name,
    eventDatetimeUtc: new Date(time).toISOString(),
    resource: { body: row },
    links: userId && { user: `/uiproperties/users/${userId}` },
    data: customerOfRows && { CustomerId: customerOfRows },
  });
}
