import { sql } from 'kysely';
import { z } from 'zod';
import { count, type Sources } from '../../admin/views/view.ts';
import { DAY_MS } from '../../base/moment.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { runCounts } from '../../store/bounded-count.ts';
import { isOpen, needsAttention } from '../../store/unfinished.ts';
import { countDue, countSubjects } from '../tables/counts.ts';
import { isDue } from '../tables/deadlines.ts';

export const subjectCount = z.object({
  view: z.enum(['open', 'overdue', 'willMiss', 'atRisk', 'attention', 'shipped']),
  count,
  isMore: z.boolean().describe('There are more than were counted.'),
});

export type SubjectCount = z.output<typeof subjectCount>;

export async function countViews({ reads }: Pick<Sources, 'reads'>): Promise<readonly SubjectCount[]> {
  const now = Date.now();
  const [open, overdue, willMiss, atRisk, attention, shipped] = await runCounts(reads, [
    countSubjects(sql`kind = ${sql.lit(mainKind)} and ${isOpen}`),
    countDue(isDue.overdue(now)),
    countDue(isDue.willMiss(now)),
    countDue(isDue.atRisk(now)),
    countSubjects(needsAttention),
    countSubjects(sql`kind = ${sql.lit(mainKind)} and stage = 'confirmed' and stage_since >= ${now - DAY_MS}`),
  ]);
  const counted = { open, overdue, willMiss, atRisk, attention, shipped };
  return Object.entries(counted).map(([view, { count: found, isMore }]) => ({
    view: view as SubjectCount['view'],
    count: found,
    isMore,
  }));
}
