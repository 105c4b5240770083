import { continueAsNew, proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';
import { retryOf } from '../src/domain/retry-policy.ts';

/** Milestones of a subject that somebody waits for. */
export interface AwaitedMilestones {
  readonly subject: SubjectRef;
  readonly milestones: readonly string[];
}

export interface MilestoneReached {
  /** Null if nothing more is expected. */
  readonly milestone: string | null;
  readonly standing: Standing;
}

const { look } = proxyLocalActivities<Pick<Activities, 'look'>>({
  startToCloseTimeout: '10 seconds',
  retry: retryOf('store'),
});

/** Waits between two looks, in milliseconds: the first, the longest, and by how much each is longer. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const LONGER_BY = 1.5;

/**
 * Waits until one of several milestones holds, or until nothing more is expected, also of a subject that is not known yet. It looks into the
 * database instead of asking the subject's workflow, which may not have begun, or be over.
 */
export async function awaitMilestone(input: AwaitedMilestones): Promise<MilestoneReached> {
  const { subject, milestones } = input;
  for (
    let waitMs = FIRST_MS;
    !workflowInfo().continueAsNewSuggested;
    waitMs = Math.min(LONGEST_MS, waitMs * LONGER_BY)
  ) {
    const standing = await look.executeWithOptions({ summary: `look for ${milestones.join(' or ')}` }, [subject]);
    const milestone = standing?.reached?.find((it) => milestones.includes(it)) ?? null;
    if (standing && (milestone !== null || standing.isOver)) return { milestone, standing };
    await sleep(waitMs, { summary: 'the next look' });
  }
  return await continueAsNew<typeof awaitMilestone>(input);
}
