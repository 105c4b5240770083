import { parseSubjectKey } from '../../../domain/catalogue/subject.ts';
import { type Caller, may } from '../../access.ts';
import { type AnnouncementRow, type AnnouncementState, resendButton } from '../../views/announcements.ts';
import { announcementAddress, nameOf, subjectAddress } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../notice.ts';
import { fact } from '../table.ts';
import { foreign, plural, when, whole } from '../text.ts';
import { bodySection } from './body.ts';

const states = { unsent: 'being sent', 'dead-lettered': 'dead letter', sent: 'acknowledged' } as const satisfies Record<
  AnnouncementState,
  string
>;

/** Shows the state of an announcement. */
export const stateBadge = ({ state }: Pick<AnnouncementRow, 'state'>): Markup =>
  html`<span class="badge ${state === 'dead-lettered' ? 'warn' : state === 'sent' ? 'good' : ''}">${states[state]}</span>`;

/** Page of one announcement with its body. */
export const announcementPage = (
  announcement: AnnouncementRow & { readonly body: Uint8Array },
  { caller, done }: { readonly caller: Caller; readonly done: string | undefined },
): Page => {
  const { id, subject, state, lastError, sentAt, deadLetteredAt, deadLetterReason, leftOut, body } = announcement;
  const address = announcementAddress(id);
  const about = parseSubjectKey(subject);
  return {
    title: `Announcement ${id}`,
    section: state === 'dead-lettered' ? '/board/dead-letters' : '/board/subjects',
    content: html`
${about && html`<p><a href="${subjectAddress(about)}">${foreign(nameOf(about))}</a></p>`}
<h1><span class="aside">Announcement </span>${foreign(id)} ${stateBadge(announcement)}</h1>
${notice(done)}
<dl class="facts">
${fact('Revision', announcement.revision)}
${fact('Size', plural(announcement.bytes, 'byte'))}
${fact('Made', when(announcement.createdAt.getTime()))}
${fact('Attempts', announcement.attempts)}
${fact('Last answer', announcement.lastStatus)}
${fact('Last error', lastError !== null && whole(lastError))}
${fact('Acknowledged', sentAt !== null && when(sentAt.getTime()))}
${fact('Sent without', leftOut.length > 0 && html`${leftOut.join(', ')}, because it was too large`)}
${fact('Given up', deadLetteredAt !== null && html`${when(deadLetteredAt.getTime())}: ${whole(deadLetterReason ?? '')}`)}
</dl>
${state === 'dead-lettered' && may(caller, 'act') && html`<div class="actions">${resendButton(announcement, address)}</div>`}
${bodySection(body, `${address}/body`, caller)}`,
  };
};
