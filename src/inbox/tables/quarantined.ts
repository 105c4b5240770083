import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/schema.ts';

/** Filter of quarantined deliveries; `reason` is a prefix. */
export interface QuarantinedFilter {
  readonly id?: number;
  readonly ids?: readonly number[];
  readonly eventId?: string;
  readonly reason?: string;
}

/** Selects the quarantined deliveries that match a filter. */
export const quarantinedRows = (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  conditionsOf(filter).reduce(
    (query, condition) => query.where(condition),
    db.selectFrom('inbox').where('quarantine_reason', 'is not', null),
  );

const conditionsOf = ({ id, ids, eventId, reason }: QuarantinedFilter): readonly RawBuilder<boolean>[] => [
  ...(id === undefined ? [] : [sql<boolean>`id = ${id}`]),
  ...(ids === undefined ? [] : [sql<boolean>`id in (${sql.join(ids)})`]),
  ...(eventId === undefined ? [] : [sql<boolean>`event_id = ${eventId}`]),
  ...(reason === undefined ? [] : [hasReason(reason)]),
];

/** Returns the condition of deliveries whose reason begins with a text. Not "like", because it ignores case in SQLite. */
export const hasReason = (beginning: string): RawBuilder<boolean> =>
  sql`substr(quarantine_reason, 1, length(${beginning})) = ${beginning}`;

/** Size of a delivery's body as it was received, in bytes. */
export const bytesReceived = sql<number>`coalesce(uncompressed_bytes, length(body))`;
