import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { count, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { milestoneIn } from '../../domain/lifecycle/milestone.ts';
import { found } from '../../http/problem.ts';
import { isOfPaused, nameOf } from '../../store/outbox-conditions.ts';
import { columnsFor, readRow, type Stored } from '../../store/rows.ts';
import { type Database, subjectIn } from '../../store/schema.ts';

const announcementStates = ['unsent', 'dead-lettered', 'sent', 'unwanted'] as const;

export type AnnouncementState = (typeof announcementStates)[number];

export const announcementRow = z.object({
  id: z.string(),
  destination: z
    .string()
    .nullable()
    .describe('Null if no destination wants it; marked `(removed)` for one that no longer exists.'),
  subject: z.string(),
  type: z.string().describe('Such as `order.packed`.'),
  customerId: z.string().nullable(),
  revision: count,
  state: z.enum(announcementStates).describe('`unwanted` if no destination wants it.'),
  isOnHold: z.boolean().describe('It is unsent, and nothing is sent to its destination now.'),
  isReplay: z.boolean().describe('Somebody had it sent again.'),
  attempts: count,
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
  deadLetteredAt: instant.nullable(),
  deadLetterReason: z.string().nullable(),
  bytes: count.describe('Size of its whole body.'),
  leftOut: listOf(z.string()).describe(
    'Members whose records the destination did not get, because of its detail or because it was too large with them.',
  ),
});

export type AnnouncementRow = z.output<typeof announcementRow>;

const outgoing = announcementRow.omit({ destination: true, revision: true, createdAt: true });

export async function announcementsOf(
  { reads }: Sources,
  subject: SubjectRef,
  limit: number,
): Promise<readonly AnnouncementRow[]> {
  const rows = await selectOutgoing(reads)
    .where('announcements.tenant', '=', subject.tenant)
    .where('announcements.kind', '=', subject.kind)
    .where('announcements.subject_id', '=', subject.id)
    .orderBy('announcements.revision', 'desc')
    .orderBy('destination')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

export async function findAnnouncement(
  { reads }: Pick<Sources, 'reads'>,
  { id }: { readonly id: string },
): Promise<readonly [AnnouncementRow, ...AnnouncementRow[]]> {
  const [first, ...others] = (await selectAnnouncement(reads, id).execute()).map(toRow);
  return [found(first, 'The announcement does not exist.'), ...others];
}

export const selectAnnouncement = (reads: Kysely<Database>, id: string) =>
  selectOutgoing(reads).where('announcements.id', '=', id).orderBy(sql`sent_at is not null`).orderBy('destination');

export const selectOutgoing = (reads: Kysely<Database>) =>
  reads
    .selectFrom('announcements')
    .leftJoin('outbox', 'outbox.announcement', 'announcements.id')
    .select([nameOf('outbox').as('destination'), sql<number>`case when ${isOfPaused} then 1 else 0 end`.as('isPaused')])
    .select(['announcements.tenant', 'announcements.kind', 'announcements.subject_id'])
    .select(columnsFor('announcements', announcementRow))
    .select(columnsFor('outbox', outgoing))
    .select('replayed_at');

export function toRow(it: Stored<typeof selectOutgoing>): AnnouncementRow {
  const state = stateOf(it);
  return readRow(announcementRow, it, {
    subject: subjectKey(subjectIn(it)),
    type: `${it.kind}.${milestoneIn(it.id)}`,
    // Nobody's, since what names its customer contradicts itself.
    customerId: it.customerId || null,
    state,
    isOnHold: it.isPaused === 1 && state === 'unsent',
    isReplay: it.replayed_at !== null,
    attempts: it.attempts ?? 0,
    leftOut: it.leftOut?.split(',') ?? [],
  });
}

function stateOf({ destination, sentAt, deadLetteredAt }: Stored<typeof selectOutgoing>): AnnouncementState {
  if (destination === null) return 'unwanted';
  if (sentAt !== null) return 'sent';
  return deadLetteredAt === null ? 'unsent' : 'dead-lettered';
}
