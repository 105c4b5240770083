import { may } from '../../admin/access.ts';
import { announcementAddress, subjectLink } from '../../admin/board/addresses.ts';
import { bulkForm } from '../../admin/board/bulk-form.ts';
import { filterForm } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { stageName } from '../../admin/board/stage.ts';
import { untrusted } from '../../admin/board/text.ts';
import type { ListColumns } from '../../admin/views/columns.ts';
import type { ShownRows } from '../../admin/views/list.ts';
import { plural } from '../../base/text.ts';
import type { SubjectKind } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import type { Named } from '../../store/subject-names.ts';
import type { announcementFilters } from './announcement-filters.ts';
import type { AnnouncementRow, AnnouncementState } from './announcement-row.ts';

type Shown = ShownRows<typeof announcementFilters, AnnouncementRow & Named>;

export function announcementsPage(shown: Shown) {
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

export const sendNowButton = (id: string, destination: string | null): Markup =>
  html`<form method="post" action="${announcementAddress(id)}/send-now"><input type="hidden" name="back" value="${announcementAddress(id)}"><input type="hidden" name="destination" value="${destination}"><button>Send now to ${destination}</button></form>`;

export const announcementColumns: ListColumns<AnnouncementRow & Named, Shown> = {
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
