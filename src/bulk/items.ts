import { type Kysely, type RawBuilder, sql } from 'kysely';
import { conditionsOf } from '../admin/queries.ts';
import { byNumber, byText, type Order, pageOf, placeOf } from '../admin/views/place.ts';
import { countMatching } from '../store/bounded-count.ts';
import type { Connections } from '../store/engines/connections.ts';
import { isPostgres } from '../store/engines/dialect.ts';
import type { Database } from '../store/schema.ts';
import { subjectKeyColumn } from '../subjects/tables/subject-search.ts';
import { isSomebody } from '../subjects/tables/taking.ts';
import { meansOpen } from '../subjects/views/filters.ts';
import { type BulkQuery, bulkActions } from './filters.ts';

interface Page {
  readonly asOf: number;
  readonly after: string;
  readonly limit: number;
}

export type BulkItems = ReturnType<typeof createBulkItems>;

/** Keys of subjects, ids of announcements, or numbers of deliveries. */
export function createBulkItems({ reads }: Pick<Connections, 'reads'>) {
  const matching = ({ table, conditions }: Source) =>
    conditions.reduce((rows, it) => rows.where(it), reads.selectFrom(table));
  return {
    count: (query: BulkQuery, most: number) => countMatching(reads, matching(sourceIn(reads, query)), most),

    /** With the last one's position; undefined at the end. */
    async next(query: BulkQuery, { asOf, after, limit }: Page) {
      const source = sourceIn(reads, query);
      const { target, cameBy, order } = source;
      const items = matching(source).where(cameBy(asOf)).select(target.as('target'));
      const rows = await pageOf(items, order, { after: after === '' ? undefined : JSON.parse(after), limit }).execute();
      const last = rows.at(-1);
      return last && { targets: rows.map((row) => row.target), position: placeOf(last, order) };
    },
  };
}

interface Source {
  readonly table: 'subjects' | 'outbox' | 'announcements' | 'inbox';
  readonly target: RawBuilder<string>;
  /** Of an index. A sign before another column keeps databases from an index that would have to be sorted. */
  readonly order: Order;
  readonly conditions: readonly RawBuilder<boolean>[];
  cameBy(time: number): RawBuilder<boolean>;
}

const key = ['tenant', 'kind', 'subject_id'].map(byText);

function sourceIn(reads: Kysely<Database>, { action, filter }: BulkQuery): Source {
  switch (action) {
    case 'refresh': {
      const since = (trouble: 'retrieving' | 'announcing') =>
        isPostgres(reads)
          ? sql`(${sql.ref(trouble)}::json ->> 'since')::bigint`
          : sql`json_extract(${sql.ref(trouble)}, '$.since')`;
      const isByAge = isSomebody(filter.takenBy) || (filter.kind !== undefined && filter.customer === undefined);
      const isMarked = filter.attention !== undefined;
      const markedAt = sql`coalesce(${since('retrieving')}, ${since('announcing')}, updated_at)`;
      const named = { ...filter, ...(meansOpen(filter) && { open: 'true' as const }) };
      return {
        table: 'subjects',
        target: subjectKeyColumn,
        order: { by: isByAge ? [byNumber('stage_since'), ...key] : key },
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
        order: { by: [...key, byNumber('revision'), byText('destination')] },
        conditions: [
          sql`sent_at is null`,
          sql`+dead_lettered_at is not null`,
          ...conditionsOf(bulkActions.resend.filters, filter, reads),
        ],
        cameBy: (time) => sql`+dead_lettered_at <= ${time}`,
      };
    case 'replay':
      return {
        table: 'announcements',
        target: sql`id`,
        order: { by: [byNumber('created_at'), byText('id')] },
        conditions: conditionsOf(bulkActions.replay.filters, filter, reads),
        cameBy: (time) => sql`created_at <= ${time}`,
      };
    case 'reprocess':
      return {
        table: 'inbox',
        target: sql`cast(id as text)`,
        order: { by: [byNumber('id')] },
        conditions: [sql`quarantine_code is not null`, ...conditionsOf(bulkActions.reprocess.filters, filter, reads)],
        cameBy: (time) => sql`received_at <= ${time}`,
      };
  }
}
