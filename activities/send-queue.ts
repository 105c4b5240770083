import type { AnnouncementResult, Outgoing } from '../src/domain/outgoing.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRejection, type SendFailure, type Sent } from './send.ts';

/** Announcements for one destination, and how each is sent. */
interface Queue<One extends Outgoing> {
  readonly outbox: Pick<ActivityDeps['outbox'], 'results'>;
  readonly announcements: readonly One[];
  readonly send: (announcement: One) => Promise<Sent>;
}

/** Result of sending a queue. */
export interface Pass {
  /** Results of those that were acknowledged or dead-lettered. */
  readonly results: readonly AnnouncementResult[];
  /** Failures that concern a single announcement each. */
  readonly rejected: readonly SendFailure[];
  /** Failure that keeps the others, or itself, from being sent now. */
  readonly stuck?: SendFailure | undefined;
}

/**
 * Sends announcements in their order. A rejection concerns a single announcement. Any other failure ends the pass if it holds back those
 * behind it; otherwise it concerns that announcement alone if the destination accepts another one after it.
 */
export async function sendInOrder<One extends Outgoing>(
  queue: Queue<One>,
  holdsBack: (failure: SendFailure) => boolean,
): Promise<Pass> {
  const results: AnnouncementResult[] = [];
  const rejected: SendFailure[] = [];
  let held: SendFailure | undefined;
  for (const announcement of queue.announcements) {
    const sent = await queue.send(announcement);
    // Its subject is woken once it is resumed.
    if (sent === 'held') return { results, rejected };
    results.push(...(await resultsOf(queue, announcement, sent)));
    if (sent === 'settled') continue;
    if (!isFailure(sent)) {
      if (held) rejected.push(held);
      held = undefined;
    } else if (isRejection(sent)) rejected.push(sent);
    else if (held || holdsBack(sent)) return { results, rejected, stuck: held ?? sent };
    else held = sent;
  }
  return { results, rejected, stuck: held };
}

/** Sends every announcement, whatever happens to the others. */
export async function sendEach<One extends Outgoing>(queue: Queue<One>): Promise<Pass> {
  const results: AnnouncementResult[] = [];
  const failures: SendFailure[] = [];
  for (const announcement of queue.announcements) {
    const sent = await queue.send(announcement);
    results.push(...(await resultsOf(queue, announcement, sent)));
    if (isFailure(sent)) failures.push(sent);
  }
  const [stuck, ...rejected] = failures;
  return { results, rejected, stuck };
}

/** Returns the result of an announcement, which the store knows if it was settled; none if it is to be sent yet. */
async function resultsOf<One extends Outgoing>(
  { outbox }: Queue<One>,
  { destination, id }: One,
  sent: Sent,
): Promise<readonly AnnouncementResult[]> {
  if (sent === 'settled') return await outbox.results(destination, [id]);
  return sent === 'held' || isFailure(sent) ? [] : [sent];
}
