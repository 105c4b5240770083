import { words } from '../../base/text.ts';
import { collectionOf } from '../../domain/catalogue/subject.ts';
import type { Found } from '../../domain/health/incident.ts';
import { readPageLimits } from '../../warehouse/tables/page-limits.ts';
import type { Find, Sources } from '../sources.ts';

const REMEMBERED_MS = 7 * 86_400_000;

/** In the last reconciliation, and where many are asked for at once. */
export const findLimitedListings: Find = async (sources) => [
  ...(await findLimitedPages(sources)),
  ...(await findLimitedSweeps(sources)),
];

async function findLimitedPages({ reads, now }: Sources): Promise<readonly Found[]> {
  const limits = await readPageLimits(reads, now - REMEMBERED_MS);
  return limits.map(({ tenant, kind, reason, since }) => {
    const several = words(collectionOf[kind]);
    return {
      place: `${tenant}/${kind}`,
      title: `Warehouse ${tenant} does not list several ${several} at once, so that each takes a GET of its own`,
      ended: `warehouse ${tenant} lists several ${several} at once`,
      because: reason,
      since,
      path: '/board/system',
    };
  });
}

async function findLimitedSweeps({ machine }: Sources): Promise<readonly Found[]> {
  const { last = [] } = (await machine?.sweeps()) ?? {};
  return last.flatMap(({ tenant, limitations }) => {
    const byKind = Map.groupBy(limitations, ({ kind }) => kind);
    return [...byKind].map(([kind, all]) => {
      const several = words(collectionOf[kind]);
      return {
        place: `${tenant}/${kind}/reconciliation`,
        title: `Reconciliation of warehouse ${tenant} is limited for ${several}`,
        ended: `reconciliation of warehouse ${tenant} is no longer limited for ${several}`,
        because: all.map(({ message }) => message).join('; '),
        since: null,
        path: '/board/system',
      };
    });
  });
}
