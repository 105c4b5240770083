import { type RawBuilder, sql } from 'kysely';
import type { QuarantinedEventFilter, QuarantinedEventLists } from '../../admin/ports.ts';
import type { InboxRows } from '../../inbox/rows.ts';
import type { ListingDeps } from '../schema.ts';
import { bodyColumns, readQuarantinedRows, withBody } from '../tables/bodies.ts';

/** Maximum number of reasons in a summary. */
const REASONS = 500;

/** Creates the lists of quarantined events for operators. */
export function createQuarantinedEventLists({ reads }: Pick<ListingDeps, 'reads'>): QuarantinedEventLists & {
  /** Selects the rows that match a filter, for `replayQuarantined`. */
  selected(filter: QuarantinedEventFilter): InboxRows['quarantinedAfter'];
} {
  const quarantined = (filter: QuarantinedEventFilter) =>
    conditionsOf(filter).reduce(
      (query, condition) => query.where(condition),
      reads.selectFrom('inbox').where('quarantine_reason', 'is not', null),
    );
  const listed = (filter: QuarantinedEventFilter) =>
    quarantined(filter)
      .select(['id', 'event_id as eventId', 'endpoint', 'tenant', 'quarantine_reason as reason'])
      .select(['received_at as receivedAt', sql<number>`coalesce(uncompressed_bytes, length(body))`.as('bytes')])
      .$narrowType<{ reason: string }>();

  return {
    list: (filter, { after, limit }) => listed(filter).where('id', '>', after).orderBy('id').limit(limit).execute(),

    summarize: (filter) =>
      reads
        .selectFrom(
          quarantined(filter)
            .select(({ fn }) => ['quarantine_reason as reason', fn.countAll<number>().as('count')])
            .select(({ fn }) => [fn.min('id').as('firstId'), fn.max('id').as('lastId')])
            .groupBy('quarantine_reason')
            .orderBy('count', 'desc')
            .orderBy('reason')
            .limit(REASONS)
            .as('reasons'),
        )
        // Of two rows only, since the others are beside their bodies.
        .innerJoin('inbox as first', 'first.id', 'firstId')
        .innerJoin('inbox as last', 'last.id', 'lastId')
        .select(['reason', 'count', 'firstId'])
        .select(['first.received_at as firstReceivedAt', 'last.received_at as lastReceivedAt'])
        .orderBy('count', 'desc')
        .orderBy('reason')
        .$narrowType<{ reason: string }>()
        .execute(),

    async find(id) {
      const row = await listed({ id }).select(bodyColumns).executeTakeFirst();
      return row && withBody(row);
    },

    selected: (filter) => (after, limit) => readQuarantinedRows(quarantined(filter), after, limit),
  };
}

function conditionsOf({ id, ids, reason, tenant, since }: QuarantinedEventFilter): RawBuilder<boolean>[] {
  return [
    ...(id === undefined ? [] : [sql<boolean>`id = ${id}`]),
    ...(ids === undefined ? [] : [sql<boolean>`id in (${sql.join(ids)})`]),
    // Not "like", because it ignores case in SQLite.
    ...(reason === undefined ? [] : [sql<boolean>`substr(quarantine_reason, 1, length(${reason})) = ${reason}`]),
    ...(tenant === undefined ? [] : [sql<boolean>`tenant = ${tenant}`]),
    ...(since === undefined ? [] : [sql<boolean>`received_at >= ${since}`]),
  ];
}
