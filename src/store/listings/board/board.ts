import type { BoardLists } from '../../../admin/board/ports.ts';
import type { ListingDeps, StoreDeps } from '../../schema.ts';
import { findFailing } from '../counts.ts';
import { createCursor } from './cursor.ts';
import { createDeliveries } from './deliveries.ts';
import { createOverview } from './overview.ts';
import { createSubjectChoice } from './subject-choice.ts';

/** Creates what the board reads. */
export function createBoardLists(deps: StoreDeps & ListingDeps): BoardLists {
  return {
    overview: createOverview(deps),
    ...createSubjectChoice(deps),
    ...createDeliveries(deps),
    failing: () => findFailing(deps.reads),
    cursor: createCursor(deps),
  };
}
