import { type RawBuilder, sql } from 'kysely';
import { COUNTED, type CountStatement } from '../../store/bounded-count.ts';
import { isWaiting } from './waiting.ts';

/** Counts deliveries; `since` is when the oldest arrived, which is looked up for it alone, since it is stored beside the body. */
const countDeliveries = (condition: RawBuilder<unknown>): CountStatement =>
  sql`select count, (select received_at from ${sql.table('inbox')} where id = first) as since from (
    select count(*) as count, min(id) as first from (
      select id from ${sql.table('inbox')} where ${condition} order by id limit ${COUNTED + 1}) as counted) as bounded`;

/** Counts quarantined deliveries. */
export const countQuarantined: CountStatement = countDeliveries(sql`quarantine_reason is not null`);

/** Counts deliveries that wait to be observed. */
export const countWaiting: CountStatement = countDeliveries(isWaiting);
