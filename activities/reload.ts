import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { stageOf } from '../src/domain/lifecycle/stage.ts';
import { isBeyond } from '../src/domain/lifecycle/stage-limits.ts';
import { type Standing, standingOf } from '../src/domain/lifecycle/standing.ts';
import { type RecordInput, unknownSubject } from './decide.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type Recorded, record } from './record.ts';

/** For a subject without events to record; records what has come due by the clock. */
export async function reload(
  deps: ActivityDeps,
  { subject, known }: Pick<RecordInput, 'subject' | 'known'>,
): Promise<Recorded> {
  const { subjects } = deps;
  const now = Date.now();
  const { saved = unknownSubject(now) } = await subjects.load(subject, 0);
  if (isBeyond(deps.stageLimits ?? {}, subject.kind, saved, now)) {
    const overdue = { stage: stageOf(saved.lifecycle), since: saved.stageSince };
    return await record(deps, { subject, known, eventIds: [], overdue });
  }
  const { revision } = saved.lifecycle;
  return {
    standing: standingOf(subject.kind, saved),
    lines: revision === (known ?? 0) ? [] : await subjects.since(subject, known ?? 0),
    announce: await subjects.unsent(subject),
    waiting: [],
  };
}

/** Null if the subject is not known. */
export async function readStanding(
  { subjects }: Pick<ActivityDeps, 'subjects'>,
  subject: SubjectRef,
): Promise<Standing | null> {
  const { saved } = await subjects.load(subject, 0);
  return saved ? standingOf(subject.kind, saved) : null;
}
