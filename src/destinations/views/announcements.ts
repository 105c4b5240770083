import { sql } from 'kysely';
import { defineList } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { subjectNames, withNames } from '../../store/subject-names.ts';
import { nameOf } from '../tables/identities.ts';
import { announcementFilters, orderOf } from './announcement-filters.ts';
import { announcementRow, selectOutgoing, toRow } from './announcement-row.ts';
import { announcementColumns, announcementsPage } from './announcements-page.ts';

export const announcementList = defineList({
  path: '/announcements',
  summary: 'Lists announcements',
  tag: 'Announcements',
  description:
    'One row for each announcement and destination, with its attempts and the last error. Use `state=dead-lettered` for what was given up and `state=failing` for what is being retried.',
  names: { row: 'ListedAnnouncement', page: 'AnnouncementPage' },
  filters: announcementFilters,
  row: announcementRow.extend(subjectNames),
  columns: announcementColumns,
  idOf: ({ id, destination }) => `${id}-${destination ?? ''}`,

  select: ({ reads }) => selectOutgoing(reads),
  order: (given) => ({
    by: [
      byNumber(orderOf(given)[0]),
      byText(orderOf(given)[1]),
      byText(sql<string>`coalesce(${nameOf('outbox')}, '')`),
    ],
    indexed: 2,
    isDescending: given.sort !== 'oldest',
  }),
  toRows: ({ reads }, stored) => withNames(reads, stored.map(toRow)),

  pages: {
    '/announcements': () => ({ state: 'unsent', sort: 'oldest' }),
    '/announcements/all': () => ({}),
    '/dead-letters': () => ({ state: 'dead-lettered', sort: 'oldest' }),
  },
  page: announcementsPage,
});
