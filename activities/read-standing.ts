import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { type Standing, standingOf } from '../src/domain/lifecycle/standing.ts';
import type { ActivityDeps } from './ports/deps.ts';

/** Returns where a subject stands, as the database last recorded it; null if it is not known. */
export async function readStanding(
  { subjects }: Pick<ActivityDeps, 'subjects'>,
  subject: SubjectRef,
): Promise<Standing | null> {
  const { saved } = await subjects.load(subject, 0);
  return saved ? standingOf(subject.kind, saved) : null;
}
