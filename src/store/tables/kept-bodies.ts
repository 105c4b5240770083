import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { SelectQueryBuilder } from 'kysely';
import type { QuarantinedRow } from '../../inbox/rows.ts';
import type { Database } from '../schema.ts';

/** What a body is read from. */
export const bodyColumns = ['body', 'uncompressed_bytes'] as const;

interface KeptBody {
  readonly body: Uint8Array;
  readonly uncompressed_bytes: number | null;
}

const gunzipBeside = promisify(gunzip);

/** A row with the bytes of its body as they came. */
export async function withBytes<Row extends KeptBody>({
  uncompressed_bytes: uncompressedBytes,
  ...row
}: Row): Promise<Omit<Row, 'uncompressed_bytes'>> {
  return uncompressedBytes === null ? row : { ...row, body: await gunzipBeside(row.body) };
}

/** Of the given quarantined rows those with an id above the given one, oldest first, with the bytes as they came. */
export async function readQuarantinedRows(
  quarantined: SelectQueryBuilder<Database, 'inbox', unknown>,
  after: number,
  limit: number,
): Promise<readonly QuarantinedRow[]> {
  const rows = await quarantined
    .select(['id', 'endpoint', 'received_at as receivedAt', ...bodyColumns])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return Promise.all(rows.map(withBytes));
}
