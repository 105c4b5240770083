import { continueAsNew, proxyLocalActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Standing } from '../src/domain/lifecycle/standing.ts';
import { retryOf } from '../src/domain/retry-policy.ts';

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

/** Between two looks: the first, the longest, and the growth. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
const LONGER_BY = 1.5;

/**
 * Waits until a milestone holds or nothing more is expected, also for an unknown subject. Looks into the database,
 * because the subject's workflow may not have begun, or be over.
 */
export async function awaitMilestone(input: AwaitedMilestones): Promise<MilestoneReached> {
  const { subject, milestones } = input;
  for (
    let waitMs = FIRST_MS;
    !workflowInfo().continueAsNewSuggested;
    waitMs = Math.min(LONGEST_MS, waitMs * LONGER_BY)
  ) {
    const standing = await look.executeWithOptions({ summary: `check for ${milestones.join(' or ')}` }, [subject]);
    const milestone = standing?.reached?.find((it) => milestones.includes(it)) ?? null;
    if (standing && (milestone !== null || standing.isOver)) return { milestone, standing };
    await sleep(waitMs, { summary: 'next check' });
  }
  return await continueAsNew<typeof awaitMilestone>(input);
}
