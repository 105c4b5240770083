import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Entry, QuarantineCode, QuarantineReason } from '../../domain/quarantine.ts';
import { type Meant, rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';

export type QuarantinedFilter = Meant<'inbox'>;

export const quarantinedRows = (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  rowsOf(db, 'inbox', filter).where('quarantine_code', 'is not', null);

/** Data as JSON, in the same order for equal reasons. */
export interface StoredReason {
  readonly code: QuarantineCode;
  readonly data: string;
}

export const reasonColumns = ['quarantine_code as code', 'quarantine_data as data'] as const;

export const writeReason = ({ code, ...data }: QuarantineReason) => ({
  quarantine_code: code,
  quarantine_data: JSON.stringify(data),
});

export const readReason = ({ code, data }: StoredReason): QuarantineReason => ({ code, ...JSON.parse(data) });

/** Limited for each code, of an index alone: a sender who floods one hides no other. */
export const someOfEach = (codes: readonly QuarantineCode[], limit: number): RawBuilder<unknown> =>
  sql`(${sql.join(
    codes.map(
      (code) => sql`select * from (
        select quarantine_code as code, quarantine_data as data, id from ${sql.table('inbox')}
        where quarantine_code = ${code} order by quarantine_data, id limit ${limit}) as each_code`,
    ),
    sql` union all `,
  )}) as counted`;

export const bytesReceived = sql<number>`length(body)`;

/** Undefined if there is none or it was purged. */
export async function findBody(db: Kysely<Database>, eventId: string): Promise<Uint8Array | undefined> {
  const row = await rowsOf(db, 'inbox', { event_id: eventId }).select('body').executeTakeFirst();
  // A purged body is empty.
  return row && row.body.byteLength > 0 ? row.body : undefined;
}

export interface QuarantinedRow extends Pick<Entry, 'eventId' | 'endpoint' | 'receivedAt' | 'body'>, StoredReason {
  readonly id: number;
}

export const selectQuarantined =
  (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  (after: number, limit: number): Promise<readonly QuarantinedRow[]> =>
    quarantinedRows(db, filter)
      .select(['id', 'event_id as eventId', 'endpoint', 'received_at as receivedAt', 'body'])
      .select(reasonColumns)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<StoredReason>()
      .execute();
