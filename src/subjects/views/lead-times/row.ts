import { z } from 'zod';
import { moment, names } from '../../../admin/queries.ts';
import { count, instant, listOf } from '../../../admin/views/view.ts';
import { timedKinds } from '../../../domain/catalogue/subject.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import type { LeadStep } from '../../../domain/lifecycle/lead-times.ts';
import { leadGroups } from '../../tables/lead-times.ts';

const step = z.object({ count, median: count, p90: count }).exactOptional();

const row = z.object({
  group: z
    .string()
    .nullable()
    .describe('Id of the customer or facility, carrier, or day in UTC; null for all, and for what has none.'),
  name: z.string().nullable().describe('Name of the customer or facility, if it is known.'),
  closed: count,
  withDeadline: count.describe('Those that had a deadline.'),
  onTime: count.describe('Those of them that were closed by then.'),
  told: z
    .object({
      count: count.describe('Those that were told to be at risk before they were due.'),
      late: count.describe('Those of them that were late.'),
      unheard: count.describe('Those that were late, though nothing was told.'),
      aheadMs: count.describe('How long before it was due the median of what was late was told, in milliseconds.'),
      byRule: count.describe('Those that the fixed time of their rule would have told.'),
      lateByRule: count.describe('Those of them that were late.'),
    })
    .describe('Scorecard of what was told before it was due.'),
  steps: z
    .object({ allocated: step, picked: step, packed: step, shipped: step, whole: step } satisfies Record<
      LeadStep,
      z.ZodType
    >)
    .describe('Milliseconds from the step before it; `whole` from created to closed. Absent where no event told.'),
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
  by: z.enum(leadGroups).default('all').describe('How to group them; the hundred largest groups are shown.'),
});

export type LeadFilters = z.output<typeof query>;
