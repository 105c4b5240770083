import { clockTime } from '../../base/moment.ts';
import { plural } from '../../base/text.ts';
import { collectionOf } from '../../domain/catalogue/subject.ts';
import type { Found } from '../../domain/health/incident.ts';
import { readPageLimits } from '../../warehouse/tables/page-limits.ts';
import type { Searches, Sources } from '../sources.ts';

/** In milliseconds. */
const REMEMBERED_MS = 7 * 86_400_000;

/** Intervals between sweeps after which one that has not succeeded is missed. */
const MISSED = 3;

const NONE = { last: [], everyMs: 0, at: 0 } as const;

const sweepsOf = async ({ machine }: Sources) => (await machine?.sweeps()) ?? NONE;

export const ofReconciliation = {
  async 'reconciliation-failing'(sources) {
    const { last, everyMs, at } = await sweepsOf(sources);
    return last
      .filter(({ succeededAt }) => succeededAt < at - MISSED * everyMs)
      .map(({ tenant, succeededAt: since }) => ({
        place: tenant,
        title: `Reconciliation of warehouse ${tenant} has not succeeded since ${clockTime(since, sources)}`,
        ended: `reconciliation of warehouse ${tenant} succeeds again`,
        since,
      }));
  },

  async 'reconciliation-differences'(sources) {
    const { last } = await sweepsOf(sources);
    return last
      .filter(({ differences }) => differences > 0)
      .map(({ tenant, succeededAt: since, differences: count }) => ({
        place: tenant,
        title: `Reconciliation of warehouse ${tenant} found ${plural(count, 'change')} that no webhook had reported`,
        ended: `reconciliation of warehouse ${tenant} finds no differences`,
        ...{ count, unit: 'difference', since },
      }));
  },

  /** Of what warehouses do not list as they are asked to: where many are asked for at once, and in the last reconciliation. */
  async 'listing-limited'(sources) {
    const pages = await readPageLimits(sources.reads, sources.now - REMEMBERED_MS);
    const { last } = await sweepsOf(sources);
    return [
      ...pages.map(({ tenant, kind, reason: because, since }): Found => {
        const several = collectionOf[kind];
        return {
          place: `${tenant}/${kind}`,
          title: `Warehouse ${tenant} does not list several ${several} at once, so that each takes a GET of its own`,
          ended: `warehouse ${tenant} lists several ${several} at once`,
          ...{ because, since },
        };
      }),
      ...last.flatMap(({ tenant, limitations }) =>
        [...Map.groupBy(limitations, ({ kind }) => kind)].map(
          ([kind, all]): Found => ({
            place: `${tenant}/${kind}/reconciliation`,
            title: `Reconciliation of warehouse ${tenant} is limited for ${collectionOf[kind]}`,
            ended: `reconciliation of warehouse ${tenant} is no longer limited for ${collectionOf[kind]}`,
            because: all.map(({ message }) => message).join('; '),
          }),
        ),
      ),
    ];
  },
} satisfies Searches;
