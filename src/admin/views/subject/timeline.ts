import { collectionOf, withoutSubject } from '../../../domain/catalogue/subject.ts';
import { plain } from '../../../domain/markdown.ts';
import { may } from '../../access.ts';
import { announcementAddress, subjectAddress } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import { age, capitalized, foreign, plural, took, when, words } from '../../board/text.ts';
import type { AnnouncementRow } from '../announcement-row.ts';
import { resendButton, stateBadge } from '../announcements-page.ts';
import type { Shown } from '../view.ts';
import type { Webhook } from '../webhook.ts';
import type { ShownSubject } from './read.ts';

/** Entries of each sort. */
const ENTRIES = 100;

/** Shows what was received, retrieved and announced, the newest first. */
export function timeline(shown: Shown<ShownSubject>): Markup {
  const { kind, webhooks, announcements, live, liveProblem } = shown.row;
  const entries = [
    ...webhooks.slice(0, ENTRIES).map((it) => ({ type: 'delivery', at: it.receivedAt, content: showWebhook(it) })),
    ...announcements
      .slice(0, ENTRIES)
      .map((it) => ({ type: 'announcement', at: it.createdAt, content: showAnnouncement(it, shown) })),
    ...(live?.timeline.flatMap(readLine) ?? []),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  return html`<section><h2 id="timeline">Timeline</h2>
${liveProblem !== undefined && html`<p class="muted">${liveProblem} Its GETs are not listed.</p>`}
${entries.length === 0 && html`<p class="empty">Nothing has happened to the ${foreign(collectionOf[kind].replace(/s$/, ''))} yet, or it was long ago.</p>`}
<ol class="timeline">${entries.map(({ type, at, content }) => html`<li class="${type}">${when(at)} ${content}</li>`)}</ol>
</section>`;
}

const showWebhook = ({ id, event, eventId, endpoint, receivedAt, observedAt, bytes }: Webhook): Markup => html`<div>
<p><span class="tag">Webhook</span> <a href="/board/deliveries/${id}"><strong>${foreign(event ?? eventId)}</strong></a></p>
<p class="muted">${foreign(eventId)} · ${foreign(endpoint)} · ${bytes === 0 ? 'body purged' : plural(bytes, 'byte')} · ${observedAt === null ? 'waits to be recorded' : `recorded after ${took(observedAt.getTime() - receivedAt.getTime())}`}</p>
</div>`;

const tags = {
  sent: 'Announced',
  unsent: 'Announcing',
  'dead-lettered': 'Not announced',
  unwanted: 'Recorded',
} as const;

function showAnnouncement(announcement: AnnouncementRow, { row, now, caller }: Shown<ShownSubject>): Markup {
  const { id, revision, attempts, lastStatus, lastError, deadLetterReason, sentAt, createdAt } = announcement;
  const milestone = withoutSubject(id).split('/').slice(1).join('/');
  return html`<div>
<p><span class="tag">${tags[announcement.state]}</span> <a href="${announcementAddress(id)}"><strong>${capitalized(words(milestone))}</strong></a> ${stateBadge(announcement.state)}</p>
<p class="muted">revision ${revision} · ${plural(attempts, 'attempt')}${lastStatus !== null && ` · last answer ${lastStatus}`}${sentAt !== null && ` · acknowledged after ${took(sentAt.getTime() - createdAt.getTime())}`}${sentAt === null && html` · for ${age(createdAt, now)}`}</p>
${lastError !== null && !deadLetterReason?.includes(lastError) && html`<p class="error">${foreign(lastError, 300)}</p>`}
${deadLetterReason !== null && html`<p class="error">${foreign(deadLetterReason, 300)}</p>${may(caller, 'act') && resendButton(announcement, subjectAddress(row))}`}
</div>`;
}

/** Reads a line of the workflow's timeline, in Markdown. Its lines about announcements say nothing more than the announcements. */
function readLine(line: string) {
  const [, time = '', text] = /^- `([^`]+)` ((?:fetched|failed) .*)$/s.exec(line) ?? [];
  if (text === undefined) return [];
  const content = html`<div><p><span class="tag">GET</span> ${foreign(plain(text.replace(/^fetched /, '')), 300)}</p></div>`;
  return [{ type: 'workflow', at: new Date(time), content }];
}
