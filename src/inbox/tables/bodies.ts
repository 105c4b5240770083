import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Entry } from '../../domain/entry.ts';
import { rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { type QuarantinedFilter, quarantinedRows, reasonColumns, type StoredReason } from './quarantined.ts';

export const bodyColumns = ['body', 'uncompressed_bytes'] as const;

interface StoredBody {
  readonly body: Uint8Array;
  readonly uncompressed_bytes: number | null;
}

const gunzipAsync = promisify(gunzip);

export async function withBody<Row extends StoredBody>({
  uncompressed_bytes: uncompressedBytes,
  ...row
}: Row): Promise<Omit<Row, 'uncompressed_bytes'>> {
  return uncompressedBytes === null ? row : { ...row, body: await gunzipAsync(row.body) };
}

/** Undefined if there is none or it was purged. */
export async function findBody(db: Kysely<Database>, eventId: string): Promise<Uint8Array | undefined> {
  const row = await rowsOf(db, 'inbox', { event_id: eventId }).select(bodyColumns).executeTakeFirst();
  // A purged body is empty.
  return row && row.body.byteLength > 0 ? (await withBody(row)).body : undefined;
}

export interface QuarantinedRow extends Pick<Entry, 'eventId' | 'endpoint' | 'receivedAt' | 'body'>, StoredReason {
  readonly id: number;
}

export const selectQuarantined =
  (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  async (after: number, limit: number): Promise<readonly QuarantinedRow[]> => {
    const rows = await quarantinedRows(db, filter)
      .select(['id', 'event_id as eventId', 'endpoint', 'received_at as receivedAt', ...bodyColumns])
      .select(reasonColumns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<StoredReason>()
      .execute();
    return Promise.all(rows.map(withBody));
  };
