import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conditionsOf } from '../admin/queries.ts';
import { isPostgres } from '../store/engines/dialect.ts';
import type { Database, ListingDeps } from '../store/schema.ts';
import { subjectKeyColumn } from '../subjects/tables/subject-search.ts';
import { isSomebody } from '../subjects/tables/taking.ts';
import { meansOpen } from '../subjects/views/filters.ts';
import { type BulkQuery, bulkActions } from './filters.ts';

interface Page {
  /** Later items are left out. */
  readonly asOf: number;
  /** Empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

export type BulkItems = ReturnType<typeof createBulkItems>;

/** Keys of subjects, ids of announcements, or numbers of deliveries. */
export function createBulkItems({ reads }: Pick<ListingDeps, 'reads'>) {
  const sourceOf = (query: BulkQuery) => sourceIn(reads, query);
  return {
    async count(query: BulkQuery, limit: number): Promise<number> {
      const { table, conditions } = sourceOf(query);
      const named = sql`select 1 from ${sql.table(table)} where ${sql.join(conditions, sql` and `)} limit ${limit}`;
      const counted = await sql<{ count: number }>`select count(*) as count from (${named}) as named`.execute(reads);
      return counted.rows[0]?.count ?? 0;
    },

    /** With the last one's position; undefined at the end. */
    async next(query: BulkQuery, { asOf, after, limit }: Page) {
      const { table, target, order, conditions, cameBy } = sourceOf(query);
      const columns = sql.join(order.map((column) => sql.ref(column)));
      const isNext = after === '' ? [] : [sql`(${columns}) > (${sql.join(JSON.parse(after) as unknown[])})`];
      const { rows } = await sql<{ target: string } & Record<string, unknown>>`select ${target} as target, ${columns}
        from ${sql.table(table)} where ${sql.join([...conditions, cameBy(asOf), ...isNext], sql` and `)}
        order by ${columns} limit ${limit}`.execute(reads);
      const last = rows.at(-1);
      return (
        last && {
          targets: rows.map((row) => row.target),
          position: JSON.stringify(order.map((column) => last[column])),
        }
      );
    },
  };
}

interface Source {
  readonly table: keyof Database;
  readonly target: RawBuilder<string>;
  /** Columns of an index. A sign before another column keeps databases from an index that would have to be sorted. */
  readonly order: readonly string[];
  readonly conditions: readonly RawBuilder<boolean>[];
  cameBy(time: number): RawBuilder<boolean>;
}

const key = ['tenant', 'kind', 'subject_id'] as const;

function sourceIn(reads: Kysely<Database>, { action, filter }: BulkQuery): Source {
  switch (action) {
    case 'refresh': {
      const since = (trouble: 'retrieving' | 'announcing') =>
        isPostgres(reads)
          ? sql`(${sql.ref(trouble)}::json ->> 'since')::bigint`
          : sql`json_extract(${sql.ref(trouble)}, '$.since')`;
      const isByAge = isSomebody(filter.takenBy) || (filter.kind !== undefined && filter.customer === undefined);
      const isMarked = (filter.attention ?? filter.group) !== undefined;
      const markedAt = sql`coalesce(${since('retrieving')}, ${since('announcing')}, updated_at)`;
      const named = { ...filter, ...(meansOpen(filter) && { open: 'true' as const }) };
      return {
        table: 'subjects',
        target: subjectKeyColumn,
        order: isByAge ? ['stage_since', ...key] : key,
        conditions: conditionsOf(bulkActions.refresh.filters, named, reads),
        // What has entered another stage since was fetched with that event.
        cameBy: (time) => sql`+stage_since <= ${time}${isMarked ? sql` and ${markedAt} <= ${time}` : sql``}`,
      };
    }
    case 'resend':
      return {
        table: 'outbox',
        target: sql`announcement`,
        // In which a subject's announcements are sent.
        order: [...key, 'revision', 'destination'],
        conditions: [
          sql`sent_at is null`,
          sql`+dead_lettered_at is not null`,
          ...conditionsOf(bulkActions.resend.filters, filter, reads),
        ],
        cameBy: (time) => sql`+dead_lettered_at <= ${time}`,
      };
    case 'repeat':
      return {
        table: 'announcements',
        target: sql`id`,
        order: ['created_at', 'id'],
        conditions: conditionsOf(bulkActions.repeat.filters, filter, reads),
        cameBy: (time) => sql`created_at <= ${time}`,
      };
    case 'replay':
      return {
        table: 'inbox',
        target: sql`cast(id as text)`,
        order: ['id'],
        conditions: [sql`quarantine_code is not null`, ...conditionsOf(bulkActions.replay.filters, filter, reads)],
        cameBy: (time) => sql`received_at <= ${time}`,
      };
  }
}
