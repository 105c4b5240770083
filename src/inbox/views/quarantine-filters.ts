import { sql } from 'kysely';
import { filterBy } from '../../admin/filter.ts';
import { explained, moment, names, textOf } from '../../admin/queries.ts';
import { hasReason } from '../tables/quarantined.ts';

/** Filters of quarantined webhooks. */
export const quarantineFilters = {
  reason: filterBy(explained(textOf(2000), 'only reasons that begin with this text', 'unknown event'), {
    where: hasReason,
  }),
  tenant: filterBy(names.tenant, { where: (tenant) => sql`tenant = ${tenant}` }),
  since: filterBy(moment.describe('only those received since then'), { where: (at) => sql`received_at >= ${at}` }),
};
