import type { Kysely } from 'kysely';
import { countOutgoing } from '../../destinations/tables/counts.ts';
import { countThings } from '../../domain/health/incident.ts';
import { rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import type { Find } from '../sources.ts';

export const findDeadLetters: Find = async ({ reads, once }) => {
  const { count, isMore, since } = (await once(countOutgoing)).deadLetters;
  if (count === 0) return [];
  const unit = 'announcement';
  return [
    {
      place: '',
      title: `${countThings({ count, isMore, unit })} ${count === 1 ? 'was' : 'were'} given up`,
      ended: 'no announcement that was given up is left',
      ...{ count, isMore, unit, since },
      because: await reasonOfOldest(reads),
      path: '/board/dead-letters',
    },
  ];
};

async function reasonOfOldest(reads: Kysely<Database>): Promise<string | null> {
  const oldest = await rowsOf(reads, 'outbox', { sent_at: null })
    .select('dead_letter_reason as reason')
    .where('dead_lettered_at', 'is not', null)
    .orderBy('dead_lettered_at')
    .limit(1)
    .executeTakeFirst();
  return oldest?.reason ?? null;
}
