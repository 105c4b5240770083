import { sql } from 'kysely';
import { z } from 'zod';
import { filterBy, lastingFormsOf } from '../admin/filter.ts';
import { moment, names, text } from '../admin/queries.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { quarantineFilters } from '../inbox/views/quarantine-filters.ts';
import type { BulkFilter, BulkName } from '../store/schema.ts';
import { chosenFilters } from '../subjects/views/filters.ts';

const resendFilters = {
  since: filterBy(moment.describe('only announcements dead-lettered since then'), {
    where: (at) => sql`+dead_lettered_at >= ${at}`,
  }),
};

const repeatFilters = {
  tenant: filterBy(text.describe('its warehouse'), { where: (tenant) => sql`tenant = ${tenant}` }),
  /** To whom they are sent; nothing about what is sent. */
  destination: filterBy(text.describe('its name')),
  since: filterBy(moment.describe('announcements created since then'), { where: (at) => sql`created_at >= ${at}` }),
  until: filterBy(moment.describe('announcements created until then'), { where: (at) => sql`created_at <= ${at}` }),
  kind: filterBy(z.enum(subjectKinds).describe('only this kind of subject'), { where: (kind) => sql`kind = ${kind}` }),
  milestone: filterBy(text.describe('only this milestone, such as packed'), {
    where: (milestone) => sql`id like ${`%/${milestone}`}`,
  }),
  customer: filterBy(names.customer, { where: (customer) => sql`customer_id = ${customer}` }),
  id: filterBy(text.describe('only the subject with this id'), { where: (id) => sql`subject_id = ${id}` }),
};

/** Filters of what bulk actions are done to. */
export const bulkFilters = {
  refresh: chosenFilters,
  resend: resendFilters,
  repeat: repeatFilters,
  replay: quarantineFilters,
} as const;

/** Bulk actions: what each does to everything that its filter names. */
export const bulkActions = {
  refresh: {
    summary: 'Fetches subjects from the warehouse: the open ones, or those that the options name',
    example: 'refresh --attention failing',
    filter: z.strictObject(lastingFormsOf(chosenFilters)),
  },
  resend: {
    summary: 'Sends dead-lettered announcements again',
    example: 'resend --since 3d',
    filter: z.strictObject(lastingFormsOf(resendFilters)),
  },
  repeat: {
    summary: 'Sends a destination announcements again, also those that it has acknowledged or missed',
    example: 'repeat --tenant 9104 --destination alder --since 2h',
    filter: z.strictObject(lastingFormsOf(repeatFilters)).required({ tenant: true, destination: true, since: true }),
  },
  replay: {
    summary: 'Replays quarantined webhooks, and ingests those that are now understood',
    example: "replay --reason 'unknown event'",
    filter: z.strictObject(lastingFormsOf(quarantineFilters)),
  },
} as const;

const named = <Name extends BulkName, Filter extends z.ZodObject>(action: Name, filter: Filter) =>
  z.strictObject({
    action: z.literal(action).describe(bulkActions[action].summary),
    filter: filter.prefault({} as never).describe('What it is done to; all conditions apply together.'),
  });

/** Body of `POST /bulk`. Without stage and attention, subjects that are open are meant, as on the board. */
export const bulkBody = z.discriminatedUnion('action', [
  named('refresh', bulkActions.refresh.filter),
  named('resend', bulkActions.resend.filter),
  named('repeat', bulkActions.repeat.filter),
  named('replay', bulkActions.replay.filter),
]);

/** Bulk action with what it names. */
export type BulkQuery = z.output<typeof bulkBody>;

/** Reads the body of `POST /bulk`; returns the filter also as it was given. @throws ZodError */
export function readBulk(body: unknown): { readonly query: BulkQuery; readonly filter: BulkFilter } {
  return { query: bulkBody.parse(body), filter: (body as { readonly filter?: BulkFilter }).filter ?? {} };
}
