import { may } from '../../../admin/access.ts';
import { announcementAddress, destinationLink, subjectAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { stageName } from '../../../admin/board/stage.ts';
import { took, untrusted, when } from '../../../admin/board/text.ts';
import { actorName } from '../../../admin/views/audit.ts';
import type { Shown } from '../../../admin/views/view.ts';
import { plural } from '../../../base/text.ts';
import type { AnnouncementRow } from '../../../destinations/views/announcement-row.ts';
import { resendButton, stateBadge } from '../../../destinations/views/announcements.ts';
import { findEntry } from '../../../domain/catalogue/catalogue.ts';
import { describeGets, describeRefusal } from '../../../domain/lifecycle/gets.ts';
import { type Milestone, milestoneIn } from '../../../domain/lifecycle/milestone.ts';
import type { Webhook } from '../../../inbox/views/webhook.ts';
import { NOTE_LIMIT, noteForm, removeForm, type ShownSubject } from './read.ts';

type Retrieval = ShownSubject['retrievals'][number];

interface ChangeHappening {
  readonly type: 'change';
  readonly at: Date;
  readonly revision: number;
  readonly milestone: Milestone;
  readonly webhook: Webhook | undefined;
  readonly retrieval: Retrieval | undefined;
  readonly announcements: readonly [AnnouncementRow, ...AnnouncementRow[]];
}

type Happening =
  | ChangeHappening
  | { readonly type: 'webhook'; readonly at: Date; readonly webhook: Webhook }
  | { readonly type: 'gets'; readonly at: Date; readonly retrievals: readonly [Retrieval, ...Retrieval[]] }
  | { readonly type: 'note'; readonly at: Date; readonly note: ShownSubject['notes'][number] };

const SHOWN = 100;

/** Between what was read for a change and the change. */
const STEP_MS = 60_000;

/** Oldest first; of the same moment, the earlier revision first. */
function happeningsOf({ webhooks, announcements, retrievals, notes }: ShownSubject): readonly Happening[] {
  const said = new Set<Webhook>();
  const used = new Set<Retrieval>();
  const byId = [...Map.groupBy(announcements.slice(0, SHOWN), ({ id }) => id).values()];
  const changes = byId
    .toSorted(([a], [b]) => (a?.revision ?? 0) - (b?.revision ?? 0))
    .map((group): ChangeHappening => {
      const [first] = group as [AnnouncementRow];
      const at = first.createdAt;
      const milestone = milestoneIn(first.id);
      const webhook = closest(
        webhooks,
        (it) => !said.has(it) && findEntry(it.event ?? '')?.milestone === milestone && it.observedAt,
        at,
      );
      if (webhook) said.add(webhook);
      const isBefore = (it: Retrieval) => !used.has(it) && isQuiet(it) && it.at <= at && it.at;
      const retrieval = closest(retrievals, isBefore, at);
      if (retrieval) used.add(retrieval);
      return {
        type: 'change',
        at,
        revision: first.revision,
        milestone,
        webhook,
        retrieval,
        announcements: group as [AnnouncementRow],
      };
    });
  const others: readonly Happening[] = [
    ...webhooks
      .slice(0, SHOWN)
      .filter((it) => !said.has(it))
      .map((webhook) => ({ type: 'webhook' as const, at: webhook.receivedAt, webhook })),
    ...retrievals
      .filter((it) => !used.has(it))
      .map((it) => ({ type: 'gets' as const, at: it.at, retrievals: [it] as const })),
    ...notes.map((note) => ({ type: 'note' as const, at: note.at, note })),
  ];
  const all = [...changes, ...others].sort((a, b) => Number(a.at) - Number(b.at) || revisionOf(a) - revisionOf(b));
  return all.reduce<Happening[]>(fold, []);
}

const revisionOf = (it: Happening): number => (it.type === 'change' ? it.revision : 0);

const isQuiet = ({ refused, failure }: Retrieval): boolean => failure === null && refused.length === 0;

/** Successive ones without errors become one. */
function fold(all: Happening[], it: Happening): Happening[] {
  const last = all.at(-1);
  if (
    last?.type === 'gets' &&
    it.type === 'gets' &&
    [last, it].every(({ retrievals }) => retrievals.every(isQuiet)) &&
    dayOf(last.at) === dayOf(it.at)
  )
    all[all.length - 1] = { ...it, retrievals: [...last.retrievals, ...it.retrievals] };
  else all.push(it);
  return all;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function closest<T>(all: readonly T[], timeOf: (it: T) => Date | null | false, at: Date): T | undefined {
  const near = all.flatMap((it) => {
    const time = timeOf(it);
    const distance = time ? Math.abs(time.getTime() - at.getTime()) : Number.POSITIVE_INFINITY;
    return distance <= STEP_MS ? [{ it, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.it;
}

export function timeline(shown: Shown<ShownSubject>): Markup {
  const { row } = shown;
  const newestFirst = happeningsOf(row).toReversed();
  return html`<section class="card"><div class="head"><h2 id="timeline">Timeline</h2>
<p class="muted">Newest first, times in <span data-zone>UTC</span></p></div>
${noteForm(shown)}
${newestFirst.length === 0 && html`<p class="empty">No entries. Older ones may have been purged.</p>`}
<ol class="timeline">${newestFirst.map((it, index) => html`${dayHeading(it, newestFirst[index - 1])}${showHappening(it, shown)}`)}</ol>
</section>`;
}

/** UTC; the page's script replaces it by the reader's days. */
const dayHeading = ({ at }: Happening, before: Happening | undefined): Markup | false =>
  (before === undefined || dayOf(at) !== dayOf(before.at)) && html`<li class="day"><h3>${dayOf(at)}</h3></li>`;

function showHappening(it: Happening, shown: Shown<ShownSubject>): Markup {
  if (it.type === 'change') return showChange(it, shown);
  if (it.type === 'webhook') return html`<li>${when(it.at)} <div>${webhookLine(it.webhook)}</div></li>`;
  if (it.type === 'gets') return showGets(it.retrievals);
  const { note } = it;
  return html`<li class="note" id="note-${note.id}">${when(it.at)} <div><p>${untrusted(note.text, NOTE_LIMIT)}</p><p class="muted">${actorName(note)}${removeForm(note, shown)}</p></div></li>`;
}

function showChange(change: ChangeHappening, { row, caller }: Shown<ShownSubject>): Markup {
  const { at, milestone, revision, webhook, retrieval, announcements } = change;
  const errors = announcements.flatMap((it) => it.deadLetterReason ?? it.lastError ?? []);
  const dead = announcements.find(({ state }) => state === 'dead-lettered');
  // A limited caller does not see what others' receivers get.
  const results = announcements.filter(({ destination }) => destination !== null || caller.limits === undefined);
  return html`<li>${when(at)} <div>
<details id="revision-${revision}"><summary><strong class="stage s-${milestone}">${stageName(milestone as never, row.kind)}</strong> <span class="muted">${webhook && html`webhook ${took(at.getTime() - webhook.receivedAt.getTime())} earlier → `}${retrieval && html`fetched in ${took(durationOf(retrieval))} → `}${results.map((it, index) => html`${index > 0 && ', '}${resultOf(it)}`)}</span></summary>
<div class="raw">
${webhook && webhookLine(webhook)}
${retrieval && html`<p><span class="tag">GET</span> ${getsIn(retrieval)}</p>`}
${announcements.map((it) => announcementLine(it, row))}
</div></details>
${[...new Set(errors)].map(tell)}
${dead && may(caller, 'act') && resendButton(dead, subjectAddress(row))}
</div></li>`;
}

const tell = (error: string): Markup => html`<p class="error">${untrusted(error, 300)}</p>`;

function resultOf({ destination, state, isOnHold, sentAt, createdAt, attempts }: AnnouncementRow): Markup {
  if (destination === null) return html`for no destination`;
  if (state === 'sent')
    return html`${destination} <span class="good">✓</span> ${took((sentAt?.getTime() ?? 0) - createdAt.getTime())}`;
  if (state === 'dead-lettered') return html`${destination} <span class="error">given up</span>`;
  if (isOnHold) return html`${destination} on hold`;
  return html`${destination} ${attempts === 0 ? 'waits' : html`<span class="error">${plural(attempts, 'attempt')}</span>`}`;
}

const webhookLine = ({ id, event, eventId, endpoint, receivedAt, observedAt, bytes }: Webhook): Markup =>
  html`<p><span class="tag">Webhook</span> <a href="/board/deliveries/${id}">${untrusted(event ?? eventId)}</a> <span class="muted"><span class="id">${untrusted(eventId)}</span> · ${untrusted(endpoint)} · ${bytes === 0 ? 'body purged' : plural(bytes, 'byte')} · ${observedAt === null ? 'waits to be recorded' : `recorded after ${took(observedAt.getTime() - receivedAt.getTime())}`}</span></p>`;

function announcementLine(announcement: AnnouncementRow, { tenant }: Pick<ShownSubject, 'tenant'>): Markup {
  const { id, revision, attempts, lastStatus, destination } = announcement;
  return html`<p><span class="tag">Announced</span> <a class="id" href="${announcementAddress(id)}">${untrusted(id)}</a> ${stateBadge(announcement)} <span class="muted">${destination !== null && html`to ${destinationLink({ tenant, name: destination })} · `}revision ${revision} · ${plural(attempts, 'attempt')}${lastStatus !== null && ` · last answer ${lastStatus}`}</span></p>`;
}

const durationOf = ({ gets }: Retrieval): number => gets.reduce((sum, { ms }) => sum + ms, 0);

const getsIn = ({ gets }: Retrieval): Markup => untrusted(describeGets(gets), 300);

function showGets(retrievals: readonly [Retrieval, ...Retrieval[]]): Markup {
  const [first] = retrievals;
  const count = retrievals.reduce((sum, { gets }) => sum + gets.length, 0);
  if (count < 2 || first.failure !== null || first.refused.length > 0)
    return html`<li>${when(first.at)} <div>${retrievals.map((it) => html`<p><span class="tag">GET</span> ${it.failure === null ? getsIn(it) : 'failed at first'}</p>${[...it.refused, it.failure].map((failed) => failed !== null && tell(describeRefusal(failed)))}`)}</div></li>`;
  return html`<li>${when(first.at)} <details id="gets-${first.at.getTime()}"><summary><span class="tag">${count} GETs</span></summary>
<ul>${retrievals.map((it) => html`<li>${when(it.at)} <div>${getsIn(it)}</div></li>`)}</ul></details></li>`;
}
