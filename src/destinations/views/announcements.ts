import { sql } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { announcementAddress, subjectLink } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { bulkForm, filterForm } from '../../admin/board/list-forms.ts';
import { stageName } from '../../admin/board/stage.ts';
import { untrusted } from '../../admin/board/text.ts';
import { atLeast, atMost, equals, explained, fieldBy, filterBy, moment, names, text } from '../../admin/queries.ts';
import type { ListColumns } from '../../admin/views/columns.ts';
import { defineList, type ShownRows } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { plural } from '../../base/text.ts';
import { announcementTypes, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import { matchesType } from '../../domain/routing.ts';
import { nameOf, shownName } from '../../store/outbox-conditions.ts';
import { isCustomer, type Named, subjectNames, withNames } from '../../store/subjects.ts';
import {
  type AnnouncementRow,
  type AnnouncementState,
  announcementRow,
  selectOutgoing,
  toRow,
} from './announcement-row.ts';

function orderOf({ state }: { readonly state?: unknown }) {
  if (state === 'unsent' || state === 'failing') return ['outbox.created_at', 'outbox.announcement'] as const;
  if (state === 'dead-lettered') return ['outbox.dead_lettered_at', 'outbox.announcement'] as const;
  return ['announcements.created_at', 'announcements.id'] as const;
}

/** `failing`: unsent and tried. The first two are as in their indexes. */
const isInState = {
  unsent: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null`,
  'dead-lettered': sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is not null`,
  failing: sql<boolean>`outbox.announcement is not null and sent_at is null and dead_lettered_at is null and attempts > 0`,
  sent: sql<boolean>`sent_at is not null`,
  unwanted: sql<boolean>`outbox.announcement is null`,
} as const satisfies Record<AnnouncementState | 'failing', unknown>;

const created = (word: 'since' | 'until', compared: typeof atLeast) =>
  fieldBy(
    moment.describe(`only announcements created ${word} then, or dead-lettered, with that state`),
    (at, { given }) => compared(orderOf(given)[0])(at),
  );

const announcementFilters = {
  since: created('since', atLeast),
  until: created('until', atMost),
  state: fieldBy(
    z
      .enum(Object.keys(isInState) as (keyof typeof isInState)[])
      .describe('only in this state; failing: unsent and tried at least once; unwanted: for no destination'),
    (state) => isInState[state],
  ),
  kind: fieldBy(z.enum(subjectKinds).describe('only about subjects of this kind'), equals('announcements.kind')),
  type: fieldBy(explained(text, 'only of this type; * stands for any text', 'order.packed'), isOfType),
  customer: fieldBy(names.customer, (customer, { reads }) => isCustomer(reads, 'announcements.customer_id', customer)),
  destination: fieldBy(names.destination, isFor),
  tenant: fieldBy(
    names.tenant,
    // Of what is open, an index of the outbox has the account and the destination.
    (tenant, { given: { state } }) =>
      sql`${sql.ref(state !== undefined && state !== 'sent' && state !== 'unwanted' ? 'outbox.tenant' : 'announcements.tenant')} = ${tenant}`,
    { label: 'Account' },
  ),
  sort: filterBy(z.enum(['newest', 'oldest']).describe('newest first, the default, or oldest first')),
};

function isFor(name: string) {
  return sql<boolean>`(outbox.tenant, destination) in
    (select known.tenant, known.id from ${sql.table('destinations')} as known where ${shownName} = ${name})`;
}

function isOfType(pattern: string) {
  const ends = [...announcementTypes].flatMap(([type, { kind, milestone }]) =>
    matchesType(pattern, type)
      ? [sql`(announcements.kind = ${kind} and announcements.id like ${`%/${milestone}`})`]
      : [],
  );
  return sql<boolean>`(${ends.length > 0 ? sql.join(ends, sql` or `) : sql`1 = 0`})`;
}

type Shown = ShownRows<typeof announcementFilters, AnnouncementRow & Named>;

function announcementsPage(shown: Shown) {
  const { address, filters, total } = shown;
  const { title, about, none } = pageOf(shown);
  const first = filters.sort === 'oldest' ? 'oldest' : 'newest';
  const isNarrowed = Object.entries(filters).some(
    ([name, value]) => name !== 'state' && name !== 'sort' && value !== undefined,
  );
  return {
    title,
    section: 'destinations',
    about: html`<p class="muted">${about}; ${first} first${Object.entries(pages).map(([other, it]) => other !== address && html` · <a href="${other}">${it.title}</a>`)}</p>`,
    chips: address === ALL && filterForm(shown),
    empty: filters.customer === undefined ? none : `None of customer “${filters.customer}”. ${none}`,
    bulk: filters.state === 'dead-lettered' && !isNarrowed && bulkForm('resend', {}, total),
  } as const;
}

const ALL = '/board/announcements/all';

const DEAD = '/board/dead-letters';

const all = {
  title: 'Deliveries',
  about: 'What was announced, for each destination',
  none: 'No announcements. Older ones may have been purged.',
};

/** A page's address may also ask for another state. */
function pageOf({ address, filters: { state } }: Shown): typeof all {
  const page = pages[address];
  return page && (page.state ?? state) === state ? page : all;
}

const pages: Readonly<Record<string, typeof all & { readonly state?: string }>> = {
  [ALL]: all,
  '/board/announcements': {
    state: 'unsent',
    title: 'Deliveries under way',
    about: 'Announcements that are still to be delivered',
    none: 'None. Every announcement has arrived.',
  },
  [DEAD]: {
    state: 'dead-lettered',
    title: 'Dead letters',
    about: 'Announcements that were given up, and are kept until somebody resends them',
    none: 'None. Every announcement has arrived or is being sent.',
  },
};

export const whatOf = ({ type }: Pick<AnnouncementRow, 'type'>): string => {
  const [kind = '', milestone = ''] = type.split('.');
  return stageName(milestone as Milestone, kind as SubjectKind);
};

function answerOf({ deadLetterReason, lastError, lastStatus }: AnnouncementRow): Markup | number | null {
  const reason = deadLetterReason ?? lastError;
  return reason === null ? lastStatus : untrusted(reason, 200);
}

const stateNames = {
  unsent: 'being sent',
  'dead-lettered': 'dead letter',
  sent: 'delivered',
  unwanted: 'for no destination',
} as const satisfies Record<AnnouncementState, string>;

export const stateBadge = ({
  state,
  isOnHold,
  isReplay,
}: Pick<AnnouncementRow, 'state' | 'isOnHold' | 'isReplay'>): Markup =>
  html`<span class="badge ${state === 'dead-lettered' ? 'warn' : state === 'sent' ? 'good' : isOnHold ? 'soon' : 'info'}">${isReplay && 'replay '}${isOnHold ? 'on hold' : stateNames[state]}</span>`;

export const resendButton = ({ id }: Pick<AnnouncementRow, 'id'>, back: string): Markup =>
  html`<form method="post" action="${announcementAddress(id)}/resend"><input type="hidden" name="back" value="${back}"><button>Resend<span class="aside"> ${untrusted(id)}</span></button></form>`;

const announcementColumns: ListColumns<AnnouncementRow & Named, Shown> = {
  id: { head: 'Announcement', cell: (row) => html`<a href="${announcementAddress(row.id)}">${whatOf(row)}</a>` },
  about: { cell: (row) => subjectLink(row.subject, row) },
  destination: { cell: ({ destination }) => destination ?? html`<span class="muted">none</span>` },
  state: { as: 'nowrap', cell: stateBadge },
  createdAt: { head: 'Created', as: 'nowrap' },
  attempts: { as: 'nowrap', cell: ({ attempts }) => plural(attempts, 'attempt') },
  lastError: { head: 'Answer', cell: answerOf },
  lastStatus: {},
  customerId: {},
  deadLetteredAt: { head: 'Given up', as: 'nowrap' },
  action: {
    as: 'action',
    cell: (row, { caller, address }) =>
      row.state === 'dead-lettered' && may(caller, 'act') && resendButton(row, address),
  },
};

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
