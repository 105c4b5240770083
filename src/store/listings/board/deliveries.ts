import { type Kysely, sql } from 'kysely';
import type { BoardLists, Delivery } from '../../../admin/board/ports.ts';
import type { WarehouseEvent } from '../../../domain/catalogue/event.ts';
import { parseSubjectKey, subjectKey } from '../../../domain/catalogue/subject.ts';
import type { Database, ListingDeps } from '../../schema.ts';
import { bodyColumns, withBody } from '../../tables/bodies.ts';
import { isSettled, isWaiting } from '../../tables/waiting.ts';

/** Creates the lists of deliveries. */
export function createDeliveries({ reads }: Pick<ListingDeps, 'reads'>): Pick<BoardLists, 'deliveriesOf' | 'delivery'> {
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
    ...{ event: event?.name ?? null, happenedAt: event?.time ?? null },
  };
}
