import { sql } from 'kysely';
import { z } from 'zod';
import { filterBy } from '../../admin/filter.ts';
import { explained, moment, names, textOf } from '../../admin/queries.ts';
import { quarantineCodes } from '../../domain/quarantine.ts';

export const quarantineFilters = {
  code: filterBy(explained(z.enum(quarantineCodes), 'only with this reason', 'unknownName'), {
    where: (code) => sql`quarantine_code = ${code}`,
  }),
  data: filterBy(explained(textOf(2000), 'only with this data of the reason, as the summary has it', '{}'), {
    where: (data) => sql`quarantine_data = ${data}`,
  }),
  tenant: filterBy(names.tenant, { where: (tenant) => sql`tenant = ${tenant}` }),
  since: filterBy(moment.describe('only those received since then'), { where: (at) => sql`received_at >= ${at}` }),
};
