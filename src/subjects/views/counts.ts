import { sql } from 'kysely';
import { z } from 'zod';
import { count, type Sources } from '../../admin/views/view.ts';
import { runCounts } from '../../store/bounded-count.ts';
import { needsAttention } from '../tables/attention.ts';
import { countDue, countSubjects } from '../tables/counts.ts';
import { isDue } from '../tables/deadlines.ts';
import { isOpen } from '../tables/subject-search.ts';

/** Number of orders, or of records that need attention, in one of the usual views. */
export const subjectCount = z.object({
  view: z.enum(['open', 'overdue', 'atRisk', 'attention', 'shipped']),
  count,
  isMore: z.boolean().describe('There are more than were counted.'),
});

/** One of these numbers. */
export type SubjectCount = z.output<typeof subjectCount>;

const DAY_MS = 86_400_000;

/** Counts the orders of each usual view, and everything that needs attention. */
export async function countViews({ reads }: Pick<Sources, 'reads'>): Promise<readonly SubjectCount[]> {
  const now = Date.now();
  const [open, overdue, atRisk, attention, shipped] = await runCounts(reads, [
    countSubjects(sql`kind = 'order' and ${isOpen}`),
    countDue(isDue.overdue(now)),
    countDue(isDue.atRisk(now)),
    countSubjects(needsAttention),
    countSubjects(sql`kind = 'order' and stage = 'confirmed' and stage_since >= ${now - DAY_MS}`),
  ]);
  const counted = { open, overdue, atRisk, attention, shipped };
  return Object.entries(counted).map(([view, { count: found, isMore }]) => ({
    view: view as SubjectCount['view'],
    count: found,
    isMore,
  }));
}
