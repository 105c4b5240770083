import type { PageContext } from '../../admin/board/layout.ts';
import type { BoardSources } from '../../admin/views/view.ts';
import { destinationState } from '../../destinations/tables/destinations.ts';
import { countQuarantined } from '../../inbox/tables/counts.ts';
import { runCounts } from '../../store/bounded-count.ts';
import { countOf } from '../../store/schema.ts';
import { needsAttention } from '../../subjects/tables/attention.ts';
import { countSubjects } from '../../subjects/tables/counts.ts';

/** Reads what surrounds every page: what needs a person and where, and what can be tried. */
export async function readPageContext(sources: BoardSources): Promise<Pick<PageContext, 'badges' | 'guide'>> {
  const { reads, guide, temporalUrl, isOfCustomers } = sources;
  // Whoever is limited sees no guide, and what is wrong with the installation is not theirs to mend.
  if (isOfCustomers !== undefined) return {};
  const [attention, quarantined] = await runCounts(reads, [countSubjects(needsAttention), countQuarantined]);
  const silent = (await destinationState(reads)).filter(
    (it) => it.paused_by === 'dockline' || it.failing_since !== null,
  );
  return {
    badges: {
      orders: attention.count,
      receivers: silent.length,
      webhooks: quarantined.count,
      alerts: await countOf(reads.selectFrom('alerts').where('phase', '=', 'open')),
    },
    guide: guide?.tries(temporalUrl),
  };
}
