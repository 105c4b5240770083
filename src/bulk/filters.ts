import { sql } from 'kysely';
import { z } from 'zod';
import { atLeast, atMost, equals, type Filters, filterBy, formsOf, moment, names, text } from '../admin/queries.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { quarantineFilters } from '../inbox/views/quarantine.ts';
import type { BulkName } from '../store/schema.ts';
import { lastingFilters } from '../subjects/views/filters.ts';

const resendFilters = {
  since: filterBy(
    moment.describe('only announcements dead-lettered since then'),
    (at) => sql`+dead_lettered_at >= ${at}`,
  ),
};

const replayFilters = {
  tenant: filterBy(text.describe('its warehouse'), equals('tenant')),
  destination: filterBy(text.describe('its name')),
  since: filterBy(moment.describe('announcements created since then'), atLeast('created_at')),
  until: filterBy(moment.describe('announcements created until then'), atMost('created_at')),
  kind: filterBy(z.enum(subjectKinds).describe('only this kind of subject'), equals('kind')),
  milestone: filterBy(
    text.describe('only this milestone, such as packed'),
    // In PostgreSQL `\\` has a meaning, and in both `%` and `_`.
    (milestone) => sql`id like ${`%/${milestone.replaceAll(/[\\%_]/g, '\\$&')}`} escape '\\'`,
  ),
  customer: filterBy(names.customer.describe('only this customer, by its id'), equals('customer_id')),
  id: filterBy(text.describe('only the subject with this id'), equals('subject_id')),
};

export const bulkActions = {
  refresh: {
    summary: 'Fetches subjects from the warehouse: the open ones, or those that the options name',
    filters: lastingFilters,
  },
  resend: { summary: 'Sends dead-lettered announcements again', filters: resendFilters },
  replay: {
    summary: 'Sends a destination announcements again, also those that it has acknowledged or missed',
    filters: replayFilters,
  },
  reprocess: {
    summary: 'Reprocesses quarantined webhooks, and ingests those that are now understood',
    filters: quarantineFilters,
  },
} as const;

const formOf = <F extends Filters>(filters: F) => z.strictObject(formsOf(filters));

const named = <Name extends BulkName, Filter extends z.ZodObject>(action: Name, filter: Filter) =>
  z.strictObject({
    action: z.literal(action).describe(bulkActions[action].summary),
    filter: filter.prefault({} as never).describe('What it is done to; all conditions apply together.'),
  });

/** Without stage and attention, open subjects are meant, as on the board. */
export const bulkBody = z.discriminatedUnion('action', [
  named('refresh', formOf(lastingFilters)),
  named('resend', formOf(resendFilters)),
  named('replay', formOf(replayFilters).required({ tenant: true, destination: true, since: true })),
  named('reprocess', formOf(quarantineFilters)),
]);

export type BulkQuery = z.output<typeof bulkBody>;

/** Without empty fields. */
export function readBulkForm({ action, ...fields }: Readonly<Record<string, string>>): object {
  return { action, filter: Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')) };
}
