import type { NeedsRetrieval } from '../../activities/advance.ts';
import type { Announced, AnnounceInput } from '../../activities/announce.ts';
import type { Published } from '../../activities/process-batch.ts';
import type { Recorded } from '../../activities/record.ts';
import type { Standing } from '../../src/domain/lifecycle/standing.ts';
import type { AnnouncementResult } from '../../src/domain/outgoing.ts';

/** Standing of an order; default: created. */
export const standing = (changes: Partial<Standing> = {}): Standing => ({
  revision: 1,
  stage: 'created',
  stageSince: Date.now(),
  isOver: false,
  isStalled: false,
  attention: [],
  reached: [],
  lastEventTime: 0,
  snapshot: null,
  progress: null,
  ...changes,
});

/** Result of recording; default: nothing to announce and nothing waiting. */
export const recorded = (changes: Partial<Standing> = {}, rest: Partial<Recorded> = {}): Recorded => ({
  standing: standing(changes),
  lines: [],
  announce: {},
  waiting: [],
  ...rest,
});

/** Result of an activity that retrieved and recorded. */
export const advanced = (changes: Partial<Standing> = {}, rest: Partial<Recorded> = {}): Published => ({
  recorded: recorded(changes, rest),
  announced: {},
  calls: [],
});

/** Result of an inline attempt that leaves the retrieval to a regular activity. */
export const needed: NeedsRetrieval = { operations: ['getOrder'], found: null };

/** Result of announcing when all are acknowledged. */
export const acknowledged = ({ ids }: AnnounceInput): Announced => ({ results: ids.map(acknowledge), refused: [] });

/** Result of one announcement that is acknowledged. */
export const acknowledge = (id: string): AnnouncementResult => ({ id, status: 204, ms: 3, attempts: 1 });
