import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { names, text, textOf, time } from '../queries.ts';

/** Bulk actions: what each does to everything that its filter names. */
export const bulkActions = {
  refresh: {
    summary: 'Fetches subjects from the warehouse: the open ones, or those that the options name',
    example: 'refresh --attention failing',
    filter: z.strictObject({
      kind: z.enum(subjectKinds).exactOptional().describe('only this kind of subject'),
      stage: z.enum(stages).exactOptional().describe('only this stage'),
      attention: z
        .enum(['any', ...attentions])
        .exactOptional()
        .describe('only what needs attention'),
      group: text.exactOptional().describe('only this reason for attention, as the overview of the board groups them'),
      takenBy: text.exactOptional().describe('only those taken by this person, or by nobody'),
      customer: names.customer.exactOptional(),
      tenant: names.tenant.exactOptional(),
      facility: names.facility.exactOptional(),
      keys: textOf(20_000).exactOptional().describe('only subjects with these keys, separated by spaces'),
      olderThan: time.exactOptional().describe('only those that entered their stage before this time or age'),
      createdSince: time.exactOptional().describe('only those first seen since this time or age'),
      confirmedSince: time.exactOptional().describe('only those closed since this time or age'),
    }),
  },
  resend: {
    summary: 'Sends dead-lettered announcements again',
    example: 'resend --since 3d',
    filter: z.strictObject({
      since: time.exactOptional().describe('only announcements dead-lettered since this time or age'),
    }),
  },
  repeat: {
    summary: 'Sends a destination announcements again, also those that it has acknowledged or missed',
    example: 'repeat --tenant 9104 --destination alder --since 2h',
    filter: z.strictObject({
      tenant: text.describe('its warehouse'),
      destination: text.describe('its name'),
      since: time.describe('announcements created since this time or age'),
      until: time.exactOptional().describe('announcements created until this time or age'),
      kind: z.enum(subjectKinds).exactOptional().describe('only this kind of subject'),
      milestone: text.exactOptional().describe('only this milestone, such as packed'),
      customer: names.customer.exactOptional(),
      id: text.exactOptional().describe('only the subject with this id'),
    }),
  },
  replay: {
    summary: 'Replays quarantined webhooks, and ingests those that are now understood',
    example: "replay --reason 'unknown event'",
    filter: z.strictObject({
      reason: textOf(2000).exactOptional().describe('only reasons that begin with this text'),
      tenant: names.tenant.exactOptional(),
      since: time.exactOptional().describe('only events received since this time or age'),
    }),
  },
} as const;

export type BulkName = keyof typeof bulkActions;

/** Names of bulk actions. */
export const bulkNames = Object.keys(bulkActions) as [BulkName, ...BulkName[]];

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

/** Filter of a bulk action as it was given. */
export type BulkFilter = Readonly<Record<string, string>>;

/** Reads the body of `POST /bulk`; returns the filter also as it was given. @throws ZodError */
export function readBulk(body: unknown): { readonly query: BulkQuery; readonly filter: BulkFilter } {
  return { query: bulkBody.parse(body), filter: (body as { readonly filter?: BulkFilter }).filter ?? {} };
}
