import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { QuarantineCode, QuarantineReason } from '../../domain/quarantine.ts';
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

export const bytesReceived = sql<number>`coalesce(uncompressed_bytes, length(body))`;
