import { type Kysely, sql } from 'kysely';
import type { BoardLists, Delivery } from '../../../admin/board/ports.ts';
import type { WarehouseEvent } from '../../../domain/catalogue/event.ts';
import { parseSubjectKey, subjectKey } from '../../../domain/catalogue/subject.ts';
import { isPostgres } from '../../engines/dialect.ts';
import type { Database, ListingDeps } from '../../schema.ts';
import { bodyColumns, withBody } from '../../tables/bodies.ts';
import { isSettled, isWaiting } from '../../tables/waiting.ts';
import { findFailing } from '../counts.ts';
import { createOverview } from './overview.ts';
import { createSubjectChoice } from './subject-choice.ts';

/** Creates what the board reads. */
export function createBoardLists(deps: ListingDeps): BoardLists {
  return {
    overview: createOverview(deps),
    ...createSubjectChoice(deps),
    ...createDeliveries(deps),
    failing: () => findFailing(deps.reads),
    cursor: createCursor(deps),
  };
}

/**
 * Creates a function that returns a text that changes with every commit, and costs nothing to compute. SQLite numbers the commits that
 * another connection sees. PostgreSQL's snapshot changes when a writing transaction begins or ends, in any database of the server.
 */
function createCursor({ reads }: Pick<ListingDeps, 'reads'>): () => Promise<string> {
  const query = isPostgres(reads)
    ? sql<{ cursor: string }>`select pg_current_snapshot()::text as cursor`
    : sql<{ cursor: number }>`select data_version as cursor from pragma_data_version`;
  return async () => String((await query.execute(reads)).rows[0]?.cursor);
}

/** Creates the lists of deliveries. */
function createDeliveries({ reads }: Pick<ListingDeps, 'reads'>): Pick<BoardLists, 'deliveriesOf' | 'delivery'> {
  return {
    async deliveriesOf(subject, limit) {
      // One statement for each, so that each uses its own index.
      const found = [];
      for (const condition of [isWaiting, isSettled]) {
        const rows = selectDeliveries(reads).where('subject_key', '=', subjectKey(subject)).where(condition);
        found.push(...(await rows.orderBy('id', 'desc').limit(limit).execute()));
      }
      return found
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(read);
    },

    async delivery(id) {
      const row = await selectDeliveries(reads).select(bodyColumns).where('id', '=', id).executeTakeFirst();
      if (!row) return undefined;
      const { body, ...rest } = await withBody(row);
      return { ...read(rest), body };
    },
  };
}

const selectDeliveries = (db: Kysely<Database>) =>
  db
    .selectFrom('inbox')
    .select(['id', 'event_id as eventId', 'endpoint', 'tenant', 'subject_key as subjectKey', 'event as json'])
    .select(['quarantine_reason as quarantineReason', 'received_at as receivedAt', 'observed_at as observedAt'])
    .select(sql<number>`coalesce(uncompressed_bytes, length(body))`.as('bytes'));

type Row = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['executeTakeFirstOrThrow']>>;

function read({ subjectKey, json, ...row }: Row): Delivery {
  const event = json === null ? null : (JSON.parse(json) as WarehouseEvent);
  return {
    ...row,
    subject: parseSubjectKey(subjectKey ?? ''),
    event: event?.name ?? null,
    happenedAt: event?.time ?? null,
  };
}
