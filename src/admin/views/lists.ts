import { announcementList } from './announcements.ts';
import { auditList } from './audit.ts';
import type { List } from './list.ts';

/** Every list that people look at. */
export const lists: readonly List[] = [announcementList, auditList];

/** Pages of the board that show a list, by their paths below `/board`, with the filters that apply there unless a query has others. */
export const listPages: Readonly<
  Record<string, { readonly list: List; readonly usual?: Readonly<Record<string, string>> }>
> = {
  '/announcements': { list: announcementList, usual: { state: 'unsent' } },
  '/dead-letters': { list: announcementList, usual: { state: 'dead-lettered' } },
  '/audit': { list: auditList },
};
