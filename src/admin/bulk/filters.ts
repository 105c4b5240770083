import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { text, textOf, time } from '../queries.ts';

/** Filters of bulk actions by their names. Without stage and attention, subjects that are open are meant, as on the board. */
export const bulkFilters = {
  refresh: z.strictObject({
    kind: z.enum(subjectKinds).exactOptional(),
    stage: z.enum(stages).exactOptional(),
    attention: z.enum(['any', ...attentions]).exactOptional(),
    group: text.exactOptional().describe('Equal reasons for attention, as the first page of the board groups them.'),
    customer: text.exactOptional(),
    tenant: text.exactOptional(),
  }),
  resend: z.strictObject({ since: time.exactOptional() }),
  replay: z.strictObject({
    reason: textOf(2000).exactOptional(),
    tenant: text.exactOptional(),
    since: time.exactOptional(),
  }),
} as const;

/** Name of a bulk action: it refreshes subjects, resends dead letters, or replays quarantined deliveries. */
export type BulkName = keyof typeof bulkFilters;

/** Names of bulk actions. */
export const bulkNames = Object.keys(bulkFilters) as [BulkName, ...BulkName[]];

/** Filter of a bulk action as it was given. */
export type BulkFilter = Readonly<Record<string, string>>;

/** Body of `POST /bulk`. */
export const bulkBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('refresh'), filter: bulkFilters.refresh.prefault({}) }),
  z.strictObject({ action: z.literal('resend'), filter: bulkFilters.resend.prefault({}) }),
  z.strictObject({ action: z.literal('replay'), filter: bulkFilters.replay.prefault({}) }),
]);

/** Reads the action and its filter, which is kept as it was given. @throws ZodError */
export function readBulk(body: unknown): { readonly action: BulkName; readonly filter: BulkFilter } {
  const { action } = bulkBody.parse(body);
  return { action, filter: (body as { readonly filter?: BulkFilter }).filter ?? {} };
}
