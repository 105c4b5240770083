import { countDeadLetters, countQuarantined, runCounts } from '../../store/bounded-count.ts';
import type { Search } from './search.ts';

/** Finds what waits for a person and for nothing else, counted in one sum. */
const search =
  (counted: typeof countQuarantined, path: string): Search =>
  async ({ reads, now }) => {
    const [{ count, isMore, since }] = await runCounts(reads, [counted]);
    return count === 0 ? [] : [{ about: '', count, isMore, since: since ?? now, because: null, path }];
  };

/** Finds the deliveries in quarantine. */
export const findQuarantined = search(countQuarantined, '/board/quarantine');

/** Finds the announcements that were given up. */
export const findDeadLetters = search(countDeadLetters, '/board/dead-letters');
