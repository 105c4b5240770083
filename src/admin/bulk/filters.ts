import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { attentions } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { text, textOf, time } from '../queries.ts';

/** Names of bulk actions: they refresh subjects, resend dead letters, repeat announcements, or replay quarantined deliveries. */
export const bulkNames = ['refresh', 'resend', 'repeat', 'replay'] as const;

export type BulkName = (typeof bulkNames)[number];

const named = <Name extends BulkName, Shape extends z.ZodRawShape>(action: Name, filter: Shape) =>
  z.strictObject({ action: z.literal(action), filter: z.strictObject(filter).prefault({} as never) });

/** Body of `POST /bulk`. Without stage and attention, subjects that are open are meant, as on the board. */
export const bulkBody = z.discriminatedUnion('action', [
  named('refresh', {
    kind: z.enum(subjectKinds).exactOptional(),
    stage: z.enum(stages).exactOptional(),
    attention: z.enum(['any', ...attentions]).exactOptional(),
    group: text.exactOptional().describe('Equal reasons for attention, as the first page of the board groups them.'),
    takenBy: text.exactOptional().describe('Who has taken them, or nobody.'),
    customer: text.exactOptional(),
    tenant: text.exactOptional(),
    facility: text.exactOptional(),
    olderThan: time.exactOptional(),
    createdSince: time.exactOptional(),
    confirmedSince: time.exactOptional(),
  }),
  named('resend', { since: time.exactOptional() }),
  named('repeat', {
    tenant: text,
    destination: text,
    since: time,
    until: time.exactOptional(),
    kind: z.enum(subjectKinds).exactOptional(),
    milestone: text.exactOptional(),
    customer: text.exactOptional(),
    id: text.exactOptional().describe('Only the subject with this id.'),
  }),
  named('replay', {
    reason: textOf(2000).exactOptional(),
    tenant: text.exactOptional(),
    since: time.exactOptional(),
  }),
]);

/** Bulk action with what it names. */
export type BulkQuery = z.output<typeof bulkBody>;

/** Filter of a bulk action as it was given. */
export type BulkFilter = Readonly<Record<string, string>>;

/** Returns the filter of a stored bulk action as it was given: without the destination's identity, which its preview has put beside it. */
export function givenFilter({ identity: _, ...given }: BulkFilter): BulkFilter {
  return given;
}

/** Reads the body of `POST /bulk`; returns the filter also as it was given. @throws ZodError */
export function readBulk(body: unknown): { readonly query: BulkQuery; readonly filter: BulkFilter } {
  return { query: bulkBody.parse(body), filter: (body as { readonly filter?: BulkFilter }).filter ?? {} };
}
