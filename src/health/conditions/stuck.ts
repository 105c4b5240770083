import { sql } from 'kysely';
import { isWaiting } from '../../inbox/tables/waiting.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import type { Find } from '../sources.ts';

/** Age from which on a webhook waits for too long, in milliseconds: a burst waits for the rate of its warehouse. */
const LONG_MS = 300_000;

/** Oldest webhooks that wait and are looked at. */
const READ = 500;

/** Finds webhooks that wait for long though no GET of their subjects fails and Temporal answers: nothing else says that they are stuck. */
export const findStuck: Find = async ({ reads, machine, now }) => {
  if (await machine?.findAway()) return [];
  const kind = isPostgres(reads)
    ? sql`split_part(subject_key, ':', 1)`
    : sql`substr(subject_key, 1, instr(subject_key, ':') - 1)`;
  const { rows } = await sql<{ count: number; since: number | null }>`
    select count(*) as count, min(received_at) as since from (
      select tenant, subject_key, received_at from ${sql.table('inbox')} where ${isWaiting} order by id limit ${READ}) as oldest
    where received_at <= ${now - LONG_MS} and not exists (
      select 1 from ${sql.table('subjects')} where subjects.tenant = oldest.tenant and subjects.kind = ${kind}
        and subjects.subject_id = substr(subject_key, length(${kind}) + length(oldest.tenant) + 3)
        and subjects.retrieving_at is not null)`.execute(reads);
  const count = Number(rows[0]?.count ?? 0);
  if (count === 0) return [];
  return [
    {
      place: '',
      title: 'Webhooks wait for more than five minutes, though nothing fails',
      ended: 'no webhook waits for more than five minutes',
      ...{ count, isMore: count >= READ, unit: 'webhook', since: rows[0]?.since ?? null },
      path: '/board/webhooks?state=waiting',
    },
  ];
};
