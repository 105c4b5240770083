import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import type { Refreshing } from '../activities/ports/refreshing.ts';
import { longestWaitMs, retryPolicy } from '../src/domain/retry-policy.ts';

/** Refresh of many subjects: the number of its bulk action, whose record has everything else. */
export interface RefreshManyInput {
  readonly bulk: number;
  /** Number of pages after which a run continues as new. */
  readonly pagesPerRun: number;
  /** Set when it continues as new. */
  readonly carried?: Refreshing;
}

/** Returns how far it is; null before the first page. */
export const refreshing = defineQuery<Refreshing | null>('progress');

const { refreshPage, cancelRefresh } = proxyActivities<Pick<Activities, 'refreshPage' | 'cancelRefresh'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: retryPolicy.initialIntervalMs,
    backoffCoefficient: retryPolicy.backoffCoefficient,
    maximumInterval: longestWaitMs.store,
  },
});

/** Refreshes everything that a bulk action names, page by page, until none is left or somebody cancels it, on the board or here. */
export async function refreshMany({ bulk, pagesPerRun, carried }: RefreshManyInput): Promise<Refreshing> {
  let state = carried ?? null;
  setHandler(refreshing, () => state, { description: 'How far it is; null before the first page.' });
  try {
    for (let pages = 0; ; pages += 1) {
      if (state) setCurrentDetails(detailsOf(state));
      if (state?.isOver) return state;
      if (state && (pages >= pagesPerRun || workflowInfo().continueAsNewSuggested)) {
        await continueAsNew<typeof refreshMany>({ bulk, pagesPerRun, carried: state });
      }
      state = await refreshPage.executeWithOptions({ summary: summaryOf(state) }, [bulk]);
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => cancelRefresh(bulk));
    throw error;
  }
}

const triedIn = ({ done, asked, failed }: Refreshing): number => done + asked + failed;

const summaryOf = (state: Refreshing | null): string => (state ? `after ${triedIn(state)}` : 'the first');

const detailsOf = (state: Refreshing): string =>
  `${triedIn(state)} of ${state.total} tried: ${state.done} done, ${state.failed} failed, ${state.asked} without an answer yet`;
