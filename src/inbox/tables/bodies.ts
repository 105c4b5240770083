import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Entry } from '../../domain/entry.ts';
import type { Database } from '../../store/schema.ts';
import { type QuarantinedFilter, quarantinedRows } from './quarantined.ts';

/** Columns of a stored body. */
export const bodyColumns = ['body', 'uncompressed_bytes'] as const;

interface StoredBody {
  readonly body: Uint8Array;
  readonly uncompressed_bytes: number | null;
}

const gunzipAsync = promisify(gunzip);

/** Returns a row with its body as it was received. */
export async function withBody<Row extends StoredBody>({
  uncompressed_bytes: uncompressedBytes,
  ...row
}: Row): Promise<Omit<Row, 'uncompressed_bytes'>> {
  return uncompressedBytes === null ? row : { ...row, body: await gunzipAsync(row.body) };
}

/** Returns the body of an event's delivery; undefined if there is none or it was purged. */
export async function findBody(db: Kysely<Database>, eventId: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom('inbox').select(bodyColumns).where('event_id', '=', eventId).executeTakeFirst();
  // A purged body is empty.
  return row && row.body.byteLength > 0 ? (await withBody(row)).body : undefined;
}

/** Quarantined delivery with its body as it was received. */
export interface QuarantinedRow extends Pick<Entry, 'eventId' | 'endpoint' | 'receivedAt' | 'body'> {
  readonly id: number;
  readonly reason: string;
}

/** Returns a function that reads pages of the quarantined rows that match a filter, oldest first, with their bodies as they were received. */
export const selectQuarantined =
  (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  async (after: number, limit: number): Promise<readonly QuarantinedRow[]> => {
    const rows = await quarantinedRows(db, filter)
      .select(['id', 'event_id as eventId', 'endpoint', 'received_at as receivedAt', ...bodyColumns])
      .select('quarantine_reason as reason')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ reason: string }>()
      .execute();
    return Promise.all(rows.map(withBody));
  };
