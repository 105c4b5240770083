import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Filter of quarantined deliveries; `reason` is a prefix, `since` is in milliseconds since the epoch. */
export interface QuarantinedFilter {
  readonly id?: number;
  readonly ids?: readonly number[];
  readonly eventId?: string;
  readonly reason?: string;
  readonly tenant?: string;
  readonly since?: number;
}

/** Selects the quarantined deliveries that match a filter. */
export const quarantinedRows = (db: Kysely<Database>, filter: QuarantinedFilter = {}) =>
  quarantinedConditions(filter).reduce(
    (query, condition) => query.where(condition),
    db.selectFrom('inbox').where('quarantine_reason', 'is not', null),
  );

/** Returns the conditions of quarantined deliveries that match a filter. */
export function quarantinedConditions({
  id,
  ids,
  eventId,
  reason,
  tenant,
  since,
}: QuarantinedFilter): readonly RawBuilder<boolean>[] {
  return [
    ...(id === undefined ? [] : [sql<boolean>`id = ${id}`]),
    ...(ids === undefined ? [] : [sql<boolean>`id in (${sql.join(ids)})`]),
    ...(eventId === undefined ? [] : [sql<boolean>`event_id = ${eventId}`]),
    // Not "like", because it ignores case in SQLite.
    ...(reason === undefined ? [] : [sql<boolean>`substr(quarantine_reason, 1, length(${reason})) = ${reason}`]),
    ...(tenant === undefined ? [] : [sql<boolean>`tenant = ${tenant}`]),
    ...(since === undefined ? [] : [sql<boolean>`received_at >= ${since}`]),
  ];
}

/** Size of a delivery's body as it was received, in bytes. */
export const bytesReceived = sql<number>`coalesce(uncompressed_bytes, length(body))`;
