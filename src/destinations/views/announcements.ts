import { type Kysely, sql } from 'kysely';
import { conditionsOf } from '../../admin/filter.ts';
import { announcementPlace } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { countMatching } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { nameOf } from '../tables/identities.ts';
import { type AnnouncementQuery, announcementFilters, orderOf } from './announcement-filters.ts';
import { announcementRow, outgoing, selectOutgoing, toRow } from './announcement-row.ts';
import { announcementsPage } from './announcements-page.ts';

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

/** Selects the announcements that match, for each of their destinations. */
export const matchingAnnouncements = (reads: Kysely<Database>, given: AnnouncementQuery) =>
  conditionsOf(announcementFilters, given, reads).reduce((rows, it) => rows.where(it), outgoing(reads));
