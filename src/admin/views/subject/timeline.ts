import { withoutSubject } from '../../../domain/catalogue/subject.ts';
import { plain } from '../../../domain/markdown.ts';
import { may } from '../../access.ts';
import { announcementAddress, subjectAddress } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import { ago, capitalized, foreign, plural, took, when, words } from '../../board/text.ts';
import type { AnnouncementRow, AnnouncementState } from '../announcement-row.ts';
import { resendButton, stateBadge } from '../announcements-page.ts';
import type { Shown } from '../view.ts';
import type { Webhook } from '../webhook.ts';
import type { ShownSubject } from './read.ts';

/** Entries of each sort. */
const ENTRIES = 100;

/** Entry of a timeline. */
interface Entry {
  readonly type: 'delivery' | 'workflow' | AnnouncementState;
  readonly at: Date;
  readonly content: Markup;
  /** Error that it tells; null for none. */
  readonly error: string | null;
  /** Number of GETs, which are folded if there are several and they tell no error. */
  readonly gets?: number;
  /** Button for what can be done about it. */
  readonly action?: Markup | false;
}

/** Shows what was received, retrieved and announced, by days, with each error where it came first. */
export function timeline(shown: Shown<ShownSubject>): Markup {
  const { row, sort } = shown;
  const entries = entriesOf(shown);
  const inOrder = sort === 'oldest' ? entries : entries.toReversed();
  const groups = inOrder.reduce<Entry[][]>((all, entry) => {
    const last = all.at(-1);
    if (last?.[0] && belongsTo(last[0], entry)) last.push(entry);
    else all.push([entry]);
    return all;
  }, []);
  return html`<section><h2 id="timeline">Timeline</h2>
${row.liveProblem !== undefined && html`<p class="muted">${row.liveProblem} Its GETs are not listed.</p>`}
${
  entries.length === 0
    ? html`<p class="empty">No entries. Older ones may have been purged.</p>`
    : html`<p class="muted">${sort === 'oldest' ? 'Oldest' : 'Newest'} first. <a href="${subjectAddress(row)}?sort=${sort === 'oldest' ? 'newest' : 'oldest'}#timeline">${sort === 'oldest' ? 'Newest' : 'Oldest'} first</a> · days and times in <span data-zone>UTC</span></p>`
}
<ol class="timeline">${groups.map((group, index) => html`${dayHeading(group, groups[index - 1])}${showGroup(group)}`)}</ol>
</section>`;
}

/** Returns what happened, oldest first, without the errors that were told before. */
function entriesOf(shown: Shown<ShownSubject>): readonly Entry[] {
  const { webhooks, announcements, live } = shown.row;
  const told = new Set<string>();
  const entries: readonly Entry[] = [
    ...webhooks.slice(0, ENTRIES).map(showWebhook),
    ...announcements.slice(0, ENTRIES).map((it) => showAnnouncement(it, shown)),
    ...(live?.timeline.flatMap(readLine) ?? []),
  ];
  return entries
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((entry) => {
      const isTold = entry.error === null || told.has(entry.error);
      if (entry.error !== null) told.add(entry.error);
      return isTold ? { ...entry, error: null } : entry;
    });
}

const isFoldable = ({ gets, error }: Entry): boolean => gets !== undefined && error === null;

const dayOf = ({ at }: Entry): string => at.toISOString().slice(0, 10);

const belongsTo = (first: Entry, entry: Entry): boolean =>
  isFoldable(first) && isFoldable(entry) && dayOf(first) === dayOf(entry);

/** Heading of a day in UTC, of which GETs are folded. The page's script has headings for those of the reader, and adds the day to a folded GET of another one. */
function dayHeading([first]: readonly Entry[], [before]: readonly Entry[] = []): Markup | false {
  const day = first && dayOf(first);
  return day !== undefined && day !== (before && dayOf(before)) && html`<li class="day"><h3>${day}</h3></li>`;
}

function showGroup(group: readonly Entry[]): Markup {
  const [first] = group;
  if (!first) return html``;
  const { type, at, content, error, action } = first;
  const gets = group.reduce((sum, it) => sum + (it.gets ?? 0), 0);
  if (!isFoldable(first) || gets < 2)
    return html`<li class="${type}">${when(at)} <div>${content}${error !== null && html`<p class="error">${foreign(error, 300)}</p>`}${action}</div></li>`;
  const oldest = Math.min(...group.map((it) => it.at.getTime()));
  return html`<li class="${type}">${when(at)} <details id="gets-${oldest}"><summary><span class="tag">${gets} GETs</span></summary>
<ul>${group.map((it) => html`<li>${when(it.at)} <div>${it.content}</div></li>`)}</ul></details></li>`;
}

const showWebhook = ({ id, event, eventId, endpoint, receivedAt, observedAt, bytes }: Webhook): Entry => ({
  type: 'delivery',
  at: receivedAt,
  error: null,
  content: html`<p><span class="tag">Webhook</span> <a href="/board/deliveries/${id}"><strong>${foreign(event ?? eventId)}</strong></a></p>
<p class="muted">${foreign(eventId)} · ${foreign(endpoint)} · ${bytes === 0 ? 'body purged' : plural(bytes, 'byte')} · ${observedAt === null ? 'waits to be recorded' : `recorded after ${took(observedAt.getTime() - receivedAt.getTime())}`}</p>`,
});

const tags = {
  sent: 'Announced',
  unsent: 'Announcing',
  'dead-lettered': 'Not announced',
  unwanted: 'Recorded',
} as const;

function showAnnouncement(announcement: AnnouncementRow, { row, now, caller }: Shown<ShownSubject>): Entry {
  const { id, revision, attempts, lastStatus, lastError, deadLetterReason, sentAt, createdAt } = announcement;
  const milestone = withoutSubject(id).split('/').slice(1).join('/');
  const standing =
    sentAt === null
      ? html`made ${ago(createdAt, now)}`
      : `acknowledged after ${took(sentAt.getTime() - createdAt.getTime())}`;
  return {
    type: announcement.state,
    at: createdAt,
    error: deadLetterReason ?? lastError,
    content: html`<p><span class="tag">${tags[announcement.state]}</span> <a href="${announcementAddress(id)}"><strong>${capitalized(words(milestone))}</strong></a> ${stateBadge(announcement.state)}</p>
<p class="muted">revision ${revision} · ${plural(attempts, 'attempt')}${lastStatus !== null && ` · last answer ${lastStatus}`} · ${standing}</p>`,
    action: deadLetterReason !== null && may(caller, 'act') && resendButton(announcement, subjectAddress(row)),
  };
}

/** Reads a line of the workflow's timeline, in Markdown. Its lines about announcements say nothing more than the announcements. */
function readLine(line: string): readonly Entry[] {
  const [, time = '', result = '', said = ''] = /^- `([^`]+)` (fetched|failed at first ·) (.*)$/s.exec(line) ?? [];
  if (said === '') return [];
  const at = new Date(time);
  if (result !== 'fetched') {
    const content = html`<p><span class="tag">GET</span> failed at first</p>`;
    return [{ type: 'workflow', at, content, error: plain(said), gets: 1 }];
  }
  const [calls = '', ...refusals] = said.split(' · refused: ');
  const content = html`<p><span class="tag">GET</span> ${foreign(plain(calls), 300)}</p>`;
  const gets = calls.match(/ ms\)/g)?.length ?? 0;
  return [{ type: 'workflow', at, content, error: refusals.length > 0 ? plain(refusals.join(' ')) : null, gets }];
}
