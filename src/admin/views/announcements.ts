import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { found } from '../../http/problem.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { isDeadLettered, isUnsent } from '../../store/tables/outgoing.ts';
import { may } from '../access.ts';
import { announcementAddress, nameOf, subjectAddress } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { notice } from '../board/notice.ts';
import { bulkForm } from '../board/pages/bulk.ts';
import { actionColumn, nextPage, table } from '../board/table.ts';
import { age, foreign, plural } from '../board/text.ts';
import { announcementPlace, text, time } from '../queries.ts';
import { defineList, type ShownRows } from './list.ts';
import { count, dateOrNull, instant, listOf, type Sources } from './view.ts';

/** States of an announcement for one destination: still to be sent, given up, or acknowledged. */
export const announcementStates = ['unsent', 'dead-lettered', 'sent'] as const;

/** One of {@link announcementStates}. */
export type AnnouncementState = (typeof announcementStates)[number];

/** Row of an announcement for one destination. */
export const announcementRow = z.object({
  id: z.string(),
  destination: z.string(),
  subject: z.string(),
  revision: count,
  state: z.enum(announcementStates),
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

/** Announcement for one destination in a list, without its body. */
export type AnnouncementRow = z.output<typeof announcementRow>;

const filters = {
  state: z.enum(announcementStates).exactOptional(),
  destination: text.exactOptional().describe('only those for a destination of this name'),
  since: time.exactOptional().describe('only announcements made (or dead-lettered, with that state) since then'),
};

/** Announcements, oldest first. */
export const announcementList = defineList({
  path: '/announcements',
  summary: 'Lists announcements',
  names: { row: 'ListedAnnouncement', page: 'AnnouncementPage' },
  filters,
  place: announcementPlace,
  row: announcementRow,

  async read({ reads }, { state, destination, since, after }, limit) {
    const order = orders[state ?? 'sent'];
    let query = selectOutgoing(reads)
      .orderBy([...order])
      .limit(limit);
    if (state === 'sent') query = query.where('sent_at', 'is not', null);
    if (state === 'unsent') query = query.where(isUnsent);
    if (state === 'dead-lettered') query = query.where(isDeadLettered);
    if (destination !== undefined) query = query.where('destination', '=', destination);
    if (since !== undefined) query = query.where(order[0], '>=', since);
    const place = sql.join(order.map((column) => sql.ref(column)));
    if (after) query = query.where(sql<boolean>`(${place}) > (${after.at}, ${after.id}, ${after.destination})`);
    return (await query.execute()).map(toRow);
  },

  placeOf({ id, destination, createdAt, deadLetteredAt }, { state }) {
    const at = (state === 'dead-lettered' && deadLetteredAt) || createdAt;
    return `${at.getTime()}.${destination}.${id}`;
  },

  pages: {
    '/announcements': () => ({ state: 'unsent' }),
    '/dead-letters': () => ({ state: 'dead-lettered' }),
  },

  html(shown) {
    const { state = 'unsent' } = shown.filters;
    const { title, about, none } = pages[state];
    const canAct = may(shown.caller, 'act');
    return {
      title,
      section: shown.address,
      content: html`<h1>${title}</h1>
${notice(shown.done)}
<p class="muted">${about} ${otherPages(state)}</p>
${shown.rows.length === 0 ? html`<p class="empty">${none}</p>` : rowsTable(shown, title)}
${nextPage(shown.next)}
${state === 'dead-lettered' && shown.rows.length > 0 && canAct && bulkForm('resend', {}, shown.total)}`,
    };
  },
});

/** Columns of an index by which each state is listed. */
const orders = {
  unsent: ['outbox.created_at', 'outbox.announcement', 'outbox.destination'],
  'dead-lettered': ['outbox.dead_lettered_at', 'outbox.announcement', 'outbox.destination'],
  sent: ['announcements.created_at', 'announcements.id', 'outbox.destination'],
} as const satisfies Record<AnnouncementState, object>;

const pages = {
  unsent: {
    address: '/board/announcements',
    title: 'Announcements being sent',
    about: 'Made, and not yet acknowledged by their destination; oldest first.',
    none: 'None. Every announcement has arrived.',
  },
  'dead-lettered': {
    address: '/board/dead-letters',
    title: 'Dead letters',
    about: 'Announcements that were given up. They are kept until somebody resends them; oldest first.',
    none: 'None. Every announcement has arrived or is being sent.',
  },
  sent: {
    address: '/board/announcements?state=sent',
    title: 'Acknowledged announcements',
    about: 'Announcements that their destination has acknowledged; oldest first.',
    none: 'None yet, or it was long ago.',
  },
} as const satisfies Record<AnnouncementState, object>;

/** Links to the lists of the other states. */
const otherPages = (state: AnnouncementState): Markup =>
  html`${announcementStates.filter((other) => other !== state).map((other) => html`<a href="${pages[other].address}">${pages[other].title}</a> `)}`;

function rowsTable({ rows, now, address, caller }: ShownRows<typeof filters, AnnouncementRow>, label: string): Markup {
  const canAct = may(caller, 'act');
  return table({
    label,
    columns: ['Announcement', 'About', 'For', 'Attempts', 'Answer', canAct && actionColumn],
    rows: rows.map(
      (row) => html`<tr id="row-${row.id}">
<th scope="row"><a href="${announcementAddress(row.id)}">${foreign(row.id)}</a></th>
<td>${subjectLink(row.subject)}</td>
<td class="nowrap">${age(row.sentAt ?? row.deadLetteredAt ?? row.createdAt, now)}</td>
<td class="nowrap">${plural(row.attempts, 'attempt')}</td>
<td>${foreign(row.deadLetterReason ?? row.lastError ?? String(row.lastStatus ?? ''), 200)}</td>
${canAct && html`<td>${row.state === 'dead-lettered' && resendButton(row, address)}</td>`}
</tr>`,
    ),
  });
}

function subjectLink(key: string): Markup {
  const subject = parseSubjectKey(key);
  if (!subject) return foreign(key);
  return html`<a href="${subjectAddress(subject)}">${foreign(nameOf(subject), 60)}<span class="aside"> of ${foreign(key)}</span></a>`;
}

const stateNames = {
  unsent: 'being sent',
  'dead-lettered': 'dead letter',
  sent: 'acknowledged',
} as const satisfies Record<AnnouncementState, string>;

/** Shows the state of an announcement. */
export const stateBadge = (state: AnnouncementState): Markup =>
  html`<span class="badge ${state === 'dead-lettered' ? 'warn' : state === 'sent' ? 'good' : ''}">${stateNames[state]}</span>`;

/** Button that sends a dead letter again and returns to a page. */
export const resendButton = ({ id }: Pick<AnnouncementRow, 'id'>, back: string): Markup =>
  html`<form method="post" action="${announcementAddress(id)}/resend"><input type="hidden" name="back" value="${back}"><button>Resend<span class="aside"> ${foreign(id)}</span></button></form>`;

/** Returns the announcements of one subject for each of their destinations, newest first. */
export async function announcementsOf(
  { reads }: Sources,
  subject: SubjectRef,
  limit: number,
): Promise<readonly AnnouncementRow[]> {
  const columns = Object.entries(subjectColumns(subject)).map(([name, value]) => [`announcements.${name}`, value]);
  const rows = await selectOutgoing(reads)
    .where(({ and }) => and(Object.fromEntries(columns)))
    .orderBy('announcements.revision', 'desc')
    .orderBy('destination')
    .limit(limit)
    .execute();
  return rows.map(toRow);
}

/** Finds an announcement for each of its destinations, those that have not acknowledged it first. @throws Problem 404 */
export async function findAnnouncement(
  { reads }: Pick<Sources, 'reads'>,
  { id }: { readonly id: string },
): Promise<readonly [AnnouncementRow, ...AnnouncementRow[]]> {
  const [first, ...others] = (await selectAnnouncement(reads, id).execute()).map(toRow);
  return [found(first, 'The announcement does not exist.'), ...others];
}

/** Selects an announcement for each of its destinations, those that have not acknowledged it first. */
export const selectAnnouncement = (reads: Kysely<Database>, id: string) =>
  selectOutgoing(reads).where('announcements.id', '=', id).orderBy(sql`sent_at is not null`).orderBy('destination');

/** Selects announcements for each of their destinations, without their bodies. */
const selectOutgoing = (reads: Kysely<Database>) =>
  reads
    .selectFrom('announcements')
    .innerJoin('outbox', 'outbox.announcement', 'announcements.id')
    .select(['id', 'destination', 'announcements.tenant', 'announcements.kind', 'announcements.subject_id'])
    .select(['announcements.revision', 'announcements.created_at', 'bytes', 'attempts', 'last_status', 'last_error'])
    .select(['sent_at', 'dead_lettered_at', 'dead_letter_reason', 'left_out']);

type Stored = Awaited<ReturnType<ReturnType<typeof selectOutgoing>['executeTakeFirstOrThrow']>>;

/** Reads a selected announcement. */
export const toRow = ({ id, destination, revision, attempts, bytes, ...it }: Stored): AnnouncementRow => ({
  id,
  destination,
  subject: subjectKey(subjectIn(it)),
  revision,
  state: it.sent_at !== null ? 'sent' : it.dead_lettered_at !== null ? 'dead-lettered' : 'unsent',
  attempts,
  lastStatus: it.last_status,
  lastError: it.last_error,
  createdAt: new Date(it.created_at),
  sentAt: dateOrNull(it.sent_at),
  deadLetteredAt: dateOrNull(it.dead_lettered_at),
  deadLetterReason: it.dead_letter_reason,
  bytes,
  leftOut: it.left_out?.split(',') ?? [],
});
