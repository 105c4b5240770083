import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { type Caller, may } from '../../access.ts';
import type { AnnouncementState, ListedAnnouncement } from '../../ports.ts';
import { notice } from '../actions.ts';
import { announcementAddress, nameOf, subjectAddress } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { actionColumn, fact, nextPage, table } from '../table.ts';
import { age, foreign, plural, when, whole } from '../text.ts';
import { bodySection } from './body.ts';
import { bulkForm } from './bulk.ts';
import type { ListPage } from './queries.ts';

const states = { unsent: 'being sent', 'dead-lettered': 'dead letter', sent: 'acknowledged' } as const satisfies Record<
  AnnouncementState,
  string
>;

/** Shows the state of an announcement. */
export const stateBadge = ({ state }: Pick<ListedAnnouncement, 'state'>): Markup =>
  html`<span class="badge ${state === 'dead-lettered' ? 'warn' : state === 'sent' ? 'good' : ''}">${states[state]}</span>`;

/** Button that sends a dead letter again and returns to a page. */
export const resendButton = ({ id }: Pick<ListedAnnouncement, 'id'>, back: string): Markup =>
  html`<form method="post" action="${announcementAddress(id)}/resend"><input type="hidden" name="back" value="${back}"><button>Resend<span class="aside"> ${foreign(id)}</span></button></form>`;

/** Page of one announcement with its body. */
export const announcementPage = (
  announcement: ListedAnnouncement & { readonly body: Uint8Array },
  { caller, done }: { readonly caller: Caller; readonly done: string | undefined },
): Page => {
  const { id, subject, state, lastError, sentAt, deadLetteredAt, deadLetterReason, leftOut, body } = announcement;
  const address = announcementAddress(id);
  return {
    title: `Announcement ${id}`,
    section: state === 'dead-lettered' ? '/board/dead-letters' : '/board/subjects',
    content: html`
<p><a href="${subjectAddress(subject)}">${foreign(nameOf(subject))}</a></p>
<h1><span class="aside">Announcement </span>${foreign(id)} ${stateBadge(announcement)}</h1>
${notice(done)}
<dl class="facts">
${fact('Revision', announcement.revision)}
${fact('Size', plural(announcement.bytes, 'byte'))}
${fact('Made', when(announcement.createdAt))}
${fact('Attempts', announcement.attempts)}
${fact('Last answer', announcement.lastStatus)}
${fact('Last error', lastError !== null && whole(lastError))}
${fact('Acknowledged', sentAt !== null && when(sentAt))}
${fact('Sent without', leftOut.length > 0 && html`${leftOut.join(', ')}, because it was too large`)}
${fact('Given up', deadLetteredAt !== null && html`${when(deadLetteredAt)}: ${whole(deadLetterReason ?? '')}`)}
</dl>
${state === 'dead-lettered' && may(caller, 'act') && html`<div class="actions">${resendButton(announcement, address)}</div>`}
${bodySection(body, `${address}/body`, caller)}`,
  };
};

/** List of announcements in a state. */
export const announcementsPage = ({
  rows,
  next,
  total,
  state,
  now,
  done,
  caller,
}: ListPage<ListedAnnouncement> & {
  readonly state: 'unsent' | 'dead-lettered';
  readonly now: number;
  readonly done: string | undefined;
  readonly caller: Caller;
}): Page => {
  const title = state === 'unsent' ? 'Announcements being sent' : 'Dead letters';
  const path = state === 'unsent' ? '/board/announcements' : '/board/dead-letters';
  return {
    title,
    section: path,
    content: html`<h1>${title}</h1>
${notice(done)}
<p class="muted">${state === 'unsent' ? 'Made, and not yet acknowledged by their destination; oldest first.' : 'Announcements that were given up. They are kept until somebody resends them; oldest first.'}</p>
${rows.length === 0 ? html`<p class="empty">None. Every announcement has arrived${state === 'dead-lettered' && ' or is being sent'}.</p>` : announcementTable(rows, { title, now, back: may(caller, 'act') && path })}
${nextPage(next)}
${state === 'dead-lettered' && rows.length > 0 && may(caller, 'act') && bulkForm('resend', {}, total)}`,
  };
};

const announcementTable = (
  rows: readonly ListedAnnouncement[],
  { title, now, back }: { readonly title: string; readonly now: number; readonly back: string | false },
): Markup =>
  table({
    label: title,
    columns: ['Announcement', 'About', 'For', 'Attempts', 'Why', back && actionColumn],
    rows: rows.map(
      (row) => html`<tr id="row-${row.id}">
<th scope="row"><a href="${announcementAddress(row.id)}">${foreign(row.id)}</a></th>
<td><a href="${subjectAddress(row.subject)}">${foreign(nameOf(row.subject), 60)}<span class="aside"> of ${foreign(subjectKey(row.subject))}</span></a></td>
<td class="nowrap">${age(row.deadLetteredAt ?? row.createdAt, now)}</td>
<td class="nowrap">${plural(row.attempts, 'attempt')}</td>
<td>${foreign(row.deadLetterReason ?? row.lastError ?? '', 200)}</td>
${back && html`<td>${row.state === 'dead-lettered' && resendButton(row, back)}</td>`}
</tr>`,
    ),
  });
