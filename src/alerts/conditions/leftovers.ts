import type { Kysely } from 'kysely';
import { countDeadLetters, countQuarantined, runCounts } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import type { Search } from './search.ts';

/** Finds what waits for a person and for nothing else, counted in one sum, with the reason of the oldest. */
const search =
  (
    counted: typeof countQuarantined,
    path: string,
    readOldest: (reads: Kysely<Database>) => Promise<{ readonly reason: string | null } | undefined>,
  ): Search =>
  async ({ reads }) => {
    const [{ count, isMore, since }] = await runCounts(reads, [counted]);
    if (count === 0) return [];
    const reason = (await readOldest(reads))?.reason;
    const because = reason == null ? null : count === 1 ? reason : `of the oldest, ${reason}`;
    return [{ about: '', count, isMore, since, because, path }];
  };

/** Finds the deliveries in quarantine. */
export const findQuarantined = search(countQuarantined, '/board/quarantine', (reads) =>
  reads
    .selectFrom('inbox')
    .select('quarantine_reason as reason')
    .where('quarantine_reason', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst(),
);

/** Finds the announcements that were given up. */
export const findDeadLetters = search(countDeadLetters, '/board/dead-letters', (reads) =>
  reads
    .selectFrom('outbox')
    .select('dead_letter_reason as reason')
    .where('sent_at', 'is', null)
    .where('dead_lettered_at', 'is not', null)
    .orderBy('dead_lettered_at')
    .limit(1)
    .executeTakeFirst(),
);
