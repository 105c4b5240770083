import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { QuarantinedRow } from '../../inbox/rows.ts';
import type { Database } from '../schema.ts';

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

/** Reads a page of the given quarantined rows, oldest first, with their bodies as they were received. */
export async function readQuarantinedRows(
  quarantined: SelectQueryBuilder<Database, 'inbox', unknown>,
  after: number,
  limit: number,
): Promise<readonly QuarantinedRow[]> {
  const rows = await quarantined
    .select(['id', 'event_id as eventId', 'endpoint', 'received_at as receivedAt', ...bodyColumns])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return Promise.all(rows.map(withBody));
}
