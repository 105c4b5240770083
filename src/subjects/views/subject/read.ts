import type { Selectable } from 'kysely';
import { z } from 'zod';
import { may } from '../../../admin/access.ts';
import { subjectAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { PAGE_LIMIT } from '../../../admin/queries.ts';
import { count, instant, listOf, type Shown, type Sources } from '../../../admin/views/view.ts';
import { announcementRow, announcementsOf } from '../../../destinations/views/announcement-row.ts';
import { kindOf, type SubjectRef, subjectKey } from '../../../domain/catalogue/subject.ts';
import { type Advice, anyAdvice, readAdvice } from '../../../domain/kinds/advice.ts';
import { attentions, clearedOf } from '../../../domain/lifecycle/attention.ts';
import type { Retrieval } from '../../../domain/lifecycle/gets.ts';
import { type Milestone, milestones } from '../../../domain/lifecycle/milestone.ts';
import { snapshot } from '../../../domain/lifecycle/snapshot.ts';
import { stages } from '../../../domain/lifecycle/stage.ts';
import { progressOf } from '../../../domain/lifecycle/standing.ts';
import { isSettled, isWaitingOfSubject } from '../../../inbox/tables/waiting.ts';
import { selectWebhooks, toWebhook, webhookRow } from '../../../inbox/views/webhook.ts';
import { readRow, rowsOf } from '../../../store/rows.ts';
import { type Database, subjectColumns } from '../../../store/schema.ts';
import { failedGet, findSubject, subjectRow, toFailedGet } from './row.ts';

export const NOTE_LIMIT = 2000;

export const noteRow = z.object({
  id: count,
  at: instant,
  token: z.string().describe('Name of the token.'),
  operator: z.string().nullable().describe('Name that the holder of the token gave. Nobody verifies it.'),
  text: z.string(),
});

type Note = z.output<typeof noteRow>;

export const toNote = (note: Selectable<Database['notes']>): Note =>
  readRow(noteRow, { ...note, at: note.written_at }, {});

async function notesOf({ reads }: Pick<Sources, 'reads'>, subject: SubjectRef): Promise<readonly Note[]> {
  const rows = await rowsOf(reads, 'notes', subjectColumns(subject))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(PAGE_LIMIT)
    .execute();
  return rows.map(toNote);
}

type Noted = SubjectRef & { readonly notes: readonly Note[] };

export const noteForm = ({ row, caller }: Shown<Noted>): Markup | false =>
  may(caller, 'act') &&
  html`<form class="filters noting" id="notes" method="post" action="${subjectAddress(row)}/notes">
<label><span class="aside">Note</span> <textarea name="text" rows="1" maxlength="${NOTE_LIMIT}" placeholder="Add a note for the others" required></textarea></label>
<button>Add note</button>
</form>`;

export const removeForm = ({ id }: Pick<Note, 'id'>, { row, caller }: Shown<Noted>): Markup | false =>
  may(caller, 'act') &&
  html`<button class="quiet" type="button" popovertarget="remove-${id}">Remove…</button><form class="filters" id="remove-${id}" popover method="post" action="${subjectAddress(row)}/notes/${id}/remove"><button>Remove it for everybody</button></form>`;

const epoch = z.int().describe('Milliseconds since the epoch.');

const milestone = z.enum(Object.keys(milestones) as [Milestone, ...Milestone[]]);

export const shownSnapshot = snapshot.describe('Facts of the record that decide the lifecycle, as last retrieved.');

const observation = z.object({
  milestone,
  time: epoch,
  eventId: z.string().nullable(),
  released: z.literal(true).exactOptional(),
  observedAt: epoch.exactOptional(),
});

export const lifecycle = z.object({
  revision: count,
  registers: z.record(z.string(), observation.optional()).describe('Newest observation of each register.'),
  inferred: listOf(milestone).describe('Milestones that were announced because the record showed them.'),
  lastEventTime: epoch,
  snapshot: shownSnapshot.nullable(),
});

const progress = z.object({ lines: count.nullable(), picked: count, packed: count });

/** As the workflow sees it. */
export const liveView = z.object({
  stage: z.enum(stages),
  stageSince: epoch,
  attention: listOf(z.enum(attentions)),
  lifecycle: lifecycle.pick({ revision: true, lastEventTime: true, snapshot: true }),
  progress: progress.nullable().describe('Null for anything but an order.'),
  waiting: z.object({ events: count, announcements: count }),
});

export const erasureCounts = { deliveries: count, resources: count, announcements: count, notes: count };

const erasureRow = z.object({ at: instant, by: z.string(), ...erasureCounts });

const get = z.object({
  operation: z.string(),
  status: z.int().nullable().describe('HTTP status; null without an answer.'),
  ms: count.describe('Duration in milliseconds.'),
  others: count.describe('Other subjects that the same GET was for.'),
});

const retrieval = z.object({
  at: instant,
  gets: listOf(get),
  refused: listOf(failedGet).describe('GETs that failed, and are done without.'),
  failure: failedGet.nullable().describe('Why they are tried again; null if they are not.'),
});

const toRetrieval = ({ at, gets, refused = [], failure }: Retrieval): z.output<typeof retrieval> => ({
  at: new Date(at),
  gets: gets.map((it) => ({ others: 0, ...it })),
  refused: refused.map(toFailedGet),
  failure: failure ?? null,
});

export const shownSubject = subjectRow.extend({
  lifecycle,
  cleared: listOf(z.enum(attentions)).describe('Marks that were cleared, and that an undo brings back.'),
  progress: progress
    .extend({ byLine: z.record(z.string(), z.object({ picked: z.boolean(), packed: z.boolean() })) })
    .nullable(),
  retrievals: listOf(retrieval).describe('Its latest GETs, those that were made together in one item, oldest first.'),
  notes: listOf(noteRow).describe('Newest first.'),
  erasures: listOf(erasureRow),
  announcements: listOf(announcementRow).describe('Newest first.'),
  webhooks: listOf(webhookRow).describe('Newest first.'),
  advice: anyAdvice
    .nullable()
    .describe('Its record as last fetched, in plain words; null if it is not stored, or no longer.'),
});

export type ShownSubject = z.output<typeof shownSubject>;

export async function readSubject(sources: Sources, subject: SubjectRef): Promise<ShownSubject | undefined> {
  const row = await findSubject(sources, subject);
  if (!row) return undefined;
  const announcements = await announcementsOf(sources, subject, PAGE_LIMIT);
  const waiting = await webhooksOf(sources, subject, isWaitingOfSubject);
  const settled = await webhooksOf(sources, subject, isSettled);
  return {
    ...row,
    cleared: clearedOf(
      row.kind,
      row,
      announcements.some(({ state }) => state === 'dead-lettered'),
    ),
    progress: kindOf(row.kind).hasLines ? progressOf(row.lifecycle) : null,
    retrievals: row.retrievals.map(toRetrieval),
    advice: await adviceOf(sources, subject),
    notes: await notesOf(sources, subject),
    erasures: await erasuresOf(sources, subject),
    announcements,
    webhooks: [...waiting, ...settled].sort((a, b) => b.id - a.id).slice(0, PAGE_LIMIT),
  };
}

async function adviceOf({ reads, placesOf }: Sources, { tenant, kind, id }: SubjectRef): Promise<Advice | null> {
  const row = await rowsOf(reads, 'resources', { tenant, kind, id }).select('body').executeTakeFirst();
  return row ? readAdvice(kind, JSON.parse(Buffer.from(row.body).toString()), placesOf(tenant)) : null;
}

/** One statement per condition, so that each uses its own index. */
async function webhooksOf({ reads }: Sources, subject: SubjectRef, condition: typeof isSettled) {
  const rows = await selectWebhooks(reads)
    .where('subject_key', '=', subjectKey(subject))
    .where(condition)
    .orderBy('id', 'desc')
    .limit(PAGE_LIMIT)
    .execute();
  return rows.map(toWebhook);
}

export async function erasuresOf(
  { reads }: Pick<Sources, 'reads'>,
  subject: SubjectRef,
): Promise<ShownSubject['erasures']> {
  const rows = await rowsOf(reads, 'erasures', subjectColumns(subject))
    .select(['erased_at as at', 'erased_by as by', 'deliveries', 'resources', 'announcements', 'notes'])
    .orderBy('id')
    .execute();
  return rows.map((row) => readRow(erasureRow, row, {}));
}
