import type { NeedsRetrieval, Published } from '../../activities/advance.ts';
import type { Announced, AnnounceInput } from '../../activities/announce.ts';
import type { AnnouncementResult } from '../../activities/ports/announcing.ts';
import type { Recorded } from '../../activities/record.ts';
import type { Retrieved } from '../../activities/retrieve.ts';
import type { Standing } from '../../src/domain/lifecycle/standing.ts';

/** An order that was created and of which nothing else is known, where not said otherwise. */
export const standing = (changes: Partial<Standing> = {}): Standing => ({
  ...{ revision: 1, stage: 'created', stageSince: Date.now(), isOver: false, isStalled: false, attention: [] },
  ...{ lastEventTime: 0, snapshot: null, progress: null, ...changes },
});

/** What is recorded: nothing to announce and nothing that waits, where not said otherwise. */
export const recorded = (changes: Partial<Standing> = {}, rest: Partial<Recorded> = {}): Recorded => ({
  ...{ standing: standing(changes), lines: [], announce: [], waiting: [], ...rest },
});

/** The same by an activity that also retrieved, inline or regularly. */
export const advanced = (changes: Partial<Standing> = {}, rest: Partial<Recorded> = {}): Published => ({
  ...{ recorded: recorded(changes, rest), announced: null, calls: [] },
});

/** The warehouse is to be asked by a regular activity. */
export const needed: NeedsRetrieval = { operations: ['getOrder'], found: null };

/** What a retrieval found: nothing new, where not said otherwise. */
export const retrieved = (changes: Partial<Retrieved> = {}): Retrieved => ({
  ...{ eventIds: [], snapshot: null, refused: [], calls: [], ...changes },
});

/** Everything that was to be announced was acknowledged. */
export const acknowledged = ({ ids }: AnnounceInput): Announced => ({ results: ids.map(acknowledge), refused: [] });

/** One announcement was acknowledged. */
export const acknowledge = (id: string): AnnouncementResult => ({ id, status: 204, ms: 3, attempts: 1 });
