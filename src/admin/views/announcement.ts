import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import { plural } from '../../domain/text.ts';
import { may } from '../access.ts';
import { announcementAddress, nameOf, subjectAddress } from '../board/addresses.ts';
import { html } from '../board/html.ts';
import { notice } from '../board/notice.ts';
import { fact } from '../board/table.ts';
import { foreign, when, whole } from '../board/text.ts';
import { announcementParams } from '../call.ts';
import { announcementRow, selectAnnouncement, toRow } from './announcement-row.ts';
import { resendButton, sendNowButton, stateBadge } from './announcements-page.ts';
import { attemptRow, attemptsTable, selectAttempts, toAttempt } from './attempts.ts';
import { bodyMembers, bodySection, fileOf, readBody } from './body.ts';
import { defineView, listOf } from './view.ts';

const other = announcementRow.pick({ destination: true, state: true, attempts: true, lastError: true });

/** Announcement with its body and its attempts. */
const shownAnnouncement = announcementRow.extend({
  ...bodyMembers,
  others: listOf(other).describe('States for its other destinations.'),
  lastAttempts: listOf(attemptRow).describe('Last attempts for each destination, the newest first.'),
});

/** Announcement with its body: for the destination that has not acknowledged it, or for one of those that have. */
export const announcementView = defineView({
  call: {
    path: '/announcements/{id}',
    id: 'getAnnouncement',
    summary: 'Shows an announcement with its body and the attempts to send it',
    role: 'bodies',
    row: shownAnnouncement,
    name: 'ShownAnnouncement',
    parts: { Attempt: attemptRow },
  },
  page: {
    path: '/announcements/{id}',
    html({ row, caller, done }) {
      const { id, state, lastError, sentAt, deadLetteredAt, deadLetterReason, leftOut } = row;
      const address = announcementAddress(id);
      const about = parseSubjectKey(row.subject);
      return {
        title: `Announcement ${id}`,
        section: 'receivers',
        content: html`
${about && html`<p><a href="${subjectAddress(about)}">${foreign(nameOf(about))}</a></p>`}
<h1><span class="aside">Announcement </span>${foreign(id)} ${stateBadge(state)}</h1>
${notice(done)}
<dl class="facts">
${fact('Revision', row.revision)}
${fact('Destination', row.destination ?? 'none: no filter of a destination wants it')}
${fact('Size', plural(row.bytes, 'byte'))}
${fact('Made', when(row.createdAt))}
${fact('Attempts', row.attempts)}
${fact('Last answer', row.lastStatus)}
${fact('Last error', lastError !== null && !deadLetterReason?.includes(lastError) && whole(lastError))}
${fact('Acknowledged', sentAt !== null && when(sentAt))}
${fact('Sent without', leftOut.length > 0 && leftOut.join(', '))}
${fact('Given up', deadLetteredAt !== null && html`${when(deadLetteredAt)}: ${whole(deadLetterReason ?? '')}`)}
${row.others.map((it) => fact(`For ${it.destination}`, html`${stateBadge(it.state)} ${plural(it.attempts, 'attempt')}${it.lastError !== null && ` · ${it.lastError}`}`))}
</dl>
${may(caller, 'act') && html`<div class="actions">${state === 'dead-lettered' && resendButton(row, address)}${[row, ...row.others].map((it) => it.state === 'unsent' && sendNowButton(row.id, it.destination))}</div>`}
${row.lastAttempts.length > 0 && html`<section><h2 id="attempts">Attempts</h2>${attemptsTable(row.lastAttempts, { heading: 'attempts', caller, of: 'destination' })}</section>`}
${bodySection(row, `${address}/body`, caller)}`,
      };
    },
    file: (row) => fileOf(`${row.id}.json`, row),
  },
  params: announcementParams,
  missing: 'The announcement does not exist.',
  async read({ reads }, { id }, caller) {
    const [first, ...others] = await selectAnnouncement(reads, id).select('body').execute();
    if (!first) return undefined;
    const attempts = selectAttempts(reads).where('announcement', '=', id).orderBy('destination');
    return {
      ...toRow(first),
      ...readBody(first.body),
      others: others.map((it) => other.parse(toRow(it))),
      lastAttempts: (await attempts.orderBy('number', 'desc').execute()).map((row) => toAttempt(row, caller)),
    };
  },
});
