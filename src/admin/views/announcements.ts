import { type Kysely, sql } from 'kysely';
import { announced } from '../../domain/catalogue/announced.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import { matchesType } from '../../domain/routing.ts';
import { countMatching } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { nameOf } from '../../store/tables/identities.ts';
import { announcementPlace } from '../queries.ts';
import { type AnnouncementQuery, announcementFilters, type listedStates } from './announcement-filters.ts';
import { announcementRow, outgoing, selectOutgoing, toRow } from './announcement-row.ts';
import { announcementsPage } from './announcements-page.ts';
import { defineList } from './list.ts';

/** Announcements, newest first. */
export const announcementList = defineList({
  path: '/announcements',
  summary: 'Lists announcements',
  tag: 'Announcements',
  description:
    'One row for each announcement and destination, with its attempts and the last error. Use `state=dead-lettered` for what was given up and `state=failing` for what is being retried.',
  names: { row: 'ListedAnnouncement', page: 'AnnouncementPage' },
  filters: announcementFilters,
  place: announcementPlace,
  row: announcementRow,
  columns: ['id', 'destination', 'state', 'createdAt', 'attempts', 'lastError', 'lastStatus', 'customerId'],

  async read({ reads }, { after, ...query }, limit) {
    const isOldestFirst = query.sort === 'oldest';
    const direction = isOldestFirst ? 'asc' : 'desc';
    const [time, id] = orderOf(query);
    let rows = matchingAnnouncements(reads, query);
    if (after) {
      // The first condition is that of an index; the others are about what shares the last row of the page before.
      const [upTo, beyond] = isOldestFirst ? [sql`>=`, sql`<=`] : [sql`<=`, sql`>=`];
      rows = rows
        .where(sql<boolean>`(${sql.ref(time)}, ${sql.ref(id)}) ${upTo} (${after.at}, ${after.id})`)
        .where(
          sql<boolean>`not (${sql.ref(id)} = ${after.id} and coalesce(${nameOf(reads, 'outbox')}, ${NOBODY}) ${beyond} ${after.destination})`,
        );
    }
    const page = selectOutgoing(reads, rows).orderBy(time, direction).orderBy(id, direction);
    return (await page.orderBy(nameOf(reads, 'outbox'), direction).limit(limit).execute()).map(toRow);
  },
  count: ({ reads }, query) => countMatching(reads, matchingAnnouncements(reads, query)),

  placeOf({ id, destination, createdAt, deadLetteredAt }, { state }) {
    const at = (state === 'dead-lettered' && deadLetteredAt) || createdAt;
    return `${at.getTime()}.${destination ?? NOBODY}.${id}`;
  },

  pages: {
    '/announcements': () => ({ state: 'unsent', sort: 'oldest' }),
    '/announcements/all': () => ({}),
    '/dead-letters': () => ({ state: 'dead-lettered', sort: 'oldest' }),
  },
  html: announcementsPage,
});

/** Stands for the destination of what goes to none. */
const NOBODY = '-';

/** Returns the columns of an index by which a state is listed. */
function orderOf({ state }: AnnouncementQuery) {
  if (state === 'unsent' || state === 'failing') return ['outbox.created_at', 'outbox.announcement'] as const;
  if (state === 'dead-lettered') return ['outbox.dead_lettered_at', 'outbox.announcement'] as const;
  return ['announcements.created_at', 'announcements.id'] as const;
}

/** Conditions of the states; the first two are those of their indexes. */
const isInState = {
  unsent: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null`,
  'dead-lettered': sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is not null`,
  failing: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null and attempts > 0`,
  sent: sql<boolean>`sent_at is not null`,
  unwanted: sql<boolean>`outbox.announcement is null`,
} as const satisfies Record<(typeof listedStates)[number], unknown>;

/** Selects the announcements that match, for each of their destinations. */
export function matchingAnnouncements(reads: Kysely<Database>, query: AnnouncementQuery) {
  const { state, destination, tenant, kind, customer, type, since, until } = query;
  const [time] = orderOf(query);
  let rows = outgoing(reads);
  if (state !== undefined) rows = rows.where(isInState[state]);
  if (destination !== undefined) rows = rows.where(isFor(destination));
  if (since !== undefined) rows = rows.where(time, '>=', since);
  if (until !== undefined) rows = rows.where(time, '<=', until);
  // Of what is open, an index of the outbox has the account and the destination.
  const isOpen = state !== undefined && state !== 'sent' && state !== 'unwanted';
  if (tenant !== undefined) rows = rows.where(isOpen ? 'outbox.tenant' : 'announcements.tenant', '=', tenant);
  if (kind !== undefined) rows = rows.where('announcements.kind', '=', kind);
  if (customer !== undefined) rows = rows.where('announcements.customer_id', '=', customer);
  return type === undefined ? rows : rows.where(isOfType(type));
}

/** Condition of announcements for those who have a name now. */
const isFor = (name: string) =>
  sql<boolean>`(destination = ${name} or (outbox.tenant, destination) in
    (select known.tenant, known.id from ${sql.table('destinations')} as known where known.name = ${name}))`;

/** Condition of announcements of the types that a pattern names. */
function isOfType(pattern: string) {
  const types = (Object.keys(announced) as SubjectKind[]).flatMap((kind) =>
    Object.keys(announced[kind]).flatMap((milestone) =>
      matchesType(pattern, `dockline.${kind}.${milestone}` as Parameters<typeof matchesType>[1])
        ? [{ kind, milestone }]
        : [],
    ),
  );
  if (types.length === 0) return sql<boolean>`1 = 0`;
  const ends = types.map(
    ({ kind, milestone }) => sql`announcements.kind = ${kind} and announcements.id like ${`%/${milestone}`}`,
  );
  return sql<boolean>`(${sql.join(
    ends.map((it) => sql`(${it})`),
    sql` or `,
  )})`;
}
