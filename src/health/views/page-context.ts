import type { Surroundings } from '../../admin/board/layout.ts';
import type { BoardSources } from '../../admin/views/view.ts';
import { destinationState } from '../../destinations/tables/destinations.ts';
import { countQuarantined } from '../../inbox/tables/counts.ts';
import { sumCounts } from '../../store/bounded-count.ts';
import { rowsOf } from '../../store/rows.ts';
import { countOf } from '../../store/schema.ts';
import { countOwnTrouble } from '../../subjects/tables/counts.ts';

/** Reads the badges of the menu, the guide of a demonstration, and which pages have nothing for the reader. */
export async function readPageContext(sources: BoardSources): Promise<Surroundings> {
  const { reads, once, guide, temporalUrl, isOfCustomers } = sources;
  // Whoever is limited sees no guide, and what is wrong with the installation is not theirs to repair.
  if (isOfCustomers === false) return { hidden: ['alerts'] };
  if (isOfCustomers) {
    const [destinations, webhooks] = await Promise.all(
      (['destinations', 'inbox'] as const).map((table) => reads.selectFrom(table).select('tenant').limit(1).execute()),
    );
    const empty = { destinations: !destinations?.length, webhooks: !webhooks?.length };
    return {
      hidden: ['alerts', 'audit', 'settings', ...(['destinations', 'webhooks'] as const).filter((it) => empty[it])],
    };
  }
  const quarantined = await once(countQuarantined);
  const silent = (await once(destinationState)).filter(
    ({ state, failing_since }) => state === 'stopped' || failing_since !== null,
  );
  return {
    badges: {
      orders: (await once(countOwnTrouble)).count,
      destinations: silent.length,
      webhooks: sumCounts([...quarantined.values()]).count,
      alerts: await countOf(rowsOf(reads, 'alerts', { phase: 'open' })),
    },
    guide: guide?.drawer(temporalUrl),
  };
}
