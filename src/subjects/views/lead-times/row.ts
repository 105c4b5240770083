import { z } from 'zod';
import { moment, names } from '../../../admin/queries.ts';
import { instant, listOf } from '../../../admin/views/view.ts';
import { timedKinds } from '../../../domain/catalogue/subject.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import { leadGroup, leadGroupings } from '../../../domain/lifecycle/lead-times.ts';

const row = leadGroup.extend({
  name: z.string().nullable().describe('Name of the customer or facility, if it is known.'),
});

export type LeadRow = z.output<typeof row>;

export const answer = z.object({
  since: instant,
  until: instant,
  share: z.number().describe('Share that was read: below 1, the counts are estimates, and medians those of a sample.'),
  items: listOf(row),
});

export const SPAN = '30d';

export const filters = {
  kind: z.enum(timedKinds).default(mainKind).describe('only this kind of subject'),
  since: moment.prefault(SPAN).describe('Closed since then; default 30 days.'),
  until: moment
    .optional()
    .transform((at) => at ?? Date.now())
    .describe('Closed before then; default now.'),
  customer: names.customer.describe('only this customer, by its id').exactOptional(),
  facility: names.facility.exactOptional(),
  carrier: names.carrier.describe('only what went by this carrier').exactOptional(),
  tenant: names.tenant.exactOptional(),
};

export const query = z.strictObject({
  ...filters,
  by: z.enum(leadGroupings).default('all').describe('How to group them; the hundred largest groups are shown.'),
});

export type LeadFilters = z.output<typeof query>;
