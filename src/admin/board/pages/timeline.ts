import { collectionOf, type SubjectRef, withoutSubject } from '../../../domain/catalogue/subject.ts';
import { plain } from '../../../domain/markdown.ts';
import { type Caller, may } from '../../access.ts';
import { type AnnouncementRow, resendButton, stateBadge } from '../../views/announcements.ts';
import { announcementAddress, subjectAddress } from '../addresses.ts';
import type { Glimpse } from '../glimpse.ts';
import { html, type Markup } from '../html.ts';
import type { Delivery } from '../ports.ts';
import { age, capitalized, foreign, plural, when, words } from '../text.ts';

/** Everything that the timeline of a subject shows. */
export interface TimelineDetails {
  readonly subject: SubjectRef;
  readonly announcements: readonly AnnouncementRow[];
  readonly deliveries: readonly Delivery[];
  readonly glimpse: Glimpse;
  readonly now: number;
  readonly caller: Caller;
}

const silence = {
  gone: 'Temporal no longer has a workflow of it, so its GETs are not listed.',
  late: 'Its workflow does not answer at once, so its GETs are not listed.',
  outage: 'Temporal does not answer now, so its GETs are not listed.',
} as const;

/** Shows what was received, retrieved and announced, the newest first. */
export function timeline(details: TimelineDetails): Markup {
  const { subject, deliveries, announcements, glimpse } = details;
  const entries = [
    ...deliveries.map((it) => ({ type: 'delivery', at: it.receivedAt, content: showDelivery(it) })),
    ...announcements.map((it) => ({
      type: 'announcement',
      at: it.createdAt.getTime(),
      content: showAnnouncement(it, details),
    })),
    ...('live' in glimpse ? glimpse.live.timeline.flatMap(readLine) : []),
  ].sort((a, b) => b.at - a.at);
  return html`<section><h2 id="timeline">Timeline</h2>
${'problem' in glimpse && html`<p class="muted">${silence[glimpse.problem]}</p>`}
${entries.length === 0 && html`<p class="empty">Nothing has happened to the ${foreign(collectionOf[subject.kind].replace(/s$/, ''))} yet, or it was long ago.</p>`}
<ol class="timeline">${entries.map(({ type, at, content }) => html`<li class="${type}">${when(at)} ${content}</li>`)}</ol>
</section>`;
}

const showDelivery = ({ id, event, eventId, endpoint, receivedAt, observedAt, bytes }: Delivery): Markup => html`<div>
<p><span class="tag">Webhook</span> <a href="/board/deliveries/${id}"><strong>${foreign(event ?? eventId)}</strong></a></p>
<p class="muted">${foreign(eventId)} · ${foreign(endpoint)} · ${bytes === 0 ? 'body purged' : plural(bytes, 'byte')} · ${observedAt === null ? 'waits to be recorded' : `recorded after ${Math.max(0, observedAt - receivedAt)} ms`}</p>
</div>`;

const tags = { sent: 'Announced', unsent: 'Announcing', 'dead-lettered': 'Not announced' } as const;

function showAnnouncement(announcement: AnnouncementRow, { subject, now, caller }: TimelineDetails): Markup {
  const { id, revision, attempts, lastStatus, lastError, deadLetterReason, sentAt, createdAt } = announcement;
  const milestone = withoutSubject(id).split('/').slice(1).join('/');
  return html`<div>
<p><span class="tag">${tags[announcement.state]}</span> <a href="${announcementAddress(id)}"><strong>${capitalized(words(milestone))}</strong></a> ${stateBadge(announcement.state)}</p>
<p class="muted">revision ${revision} · ${plural(attempts, 'attempt')}${lastStatus !== null && ` · last answer ${lastStatus}`}${sentAt !== null && ` · acknowledged after ${Math.max(0, sentAt.getTime() - createdAt.getTime())} ms`}${sentAt === null && html` · for ${age(createdAt, now)}`}</p>
${lastError !== null && html`<p class="error">${foreign(lastError, 300)}</p>`}
${deadLetterReason !== null && html`<p class="error">${foreign(deadLetterReason, 300)}</p>${may(caller, 'act') && resendButton(announcement, subjectAddress(subject))}`}
</div>`;
}

/** Reads a line of the workflow's timeline, in Markdown. Its lines about announcements say nothing more than the announcements. */
function readLine(line: string) {
  const [, time = '', text] = /^- `([^`]+)` ((?:fetched|failed) .*)$/s.exec(line) ?? [];
  if (text === undefined) return [];
  const content = html`<div><p><span class="tag">GET</span> ${foreign(plain(text.replace(/^fetched /, '')), 300)}</p></div>`;
  return [{ type: 'workflow', at: Date.parse(time), content }];
}
