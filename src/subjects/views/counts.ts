import { sql } from 'kysely';
import { z } from 'zod';
import { count, type Sources } from '../../admin/views/view.ts';
import { DAY_MS } from '../../base/moment.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { type CountStatement, countEach } from '../../store/bounded-count.ts';
import { isOpen, needsAttention } from '../../store/unfinished.ts';
import { countDue, countSubjects } from '../tables/counts.ts';
import { isDue } from '../tables/deadlines.ts';

export const subjectCount = z.object({
  view: z.enum(['open', 'overdue', 'willMiss', 'atRisk', 'attention', 'shipped']),
  count,
  isMore: z.boolean().describe('There are more than were counted.'),
});

export type SubjectCount = z.output<typeof subjectCount>;

/** Of each view. */
const statementsAt = (now: number): Readonly<Record<SubjectCount['view'], CountStatement>> => ({
  open: countSubjects(sql`kind = ${sql.lit(mainKind)} and ${isOpen}`),
  overdue: countDue(isDue.overdue(now)),
  willMiss: countDue(isDue.willMiss(now)),
  atRisk: countDue(isDue.atRisk(now)),
  attention: countSubjects(needsAttention),
  shipped: countSubjects(sql`kind = ${sql.lit(mainKind)} and stage = 'confirmed' and stage_since >= ${now - DAY_MS}`),
});

export async function countViews({ reads }: Pick<Sources, 'reads'>): Promise<readonly SubjectCount[]> {
  const statements = statementsAt(Date.now());
  const views = Object.keys(statements) as SubjectCount['view'][];
  const counted = await countEach(reads, views, (view) => statements[view]);
  return counted.map(({ item: view, count, isMore }) => ({ view, count, isMore }));
}
