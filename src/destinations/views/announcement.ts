import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { announcementAddress, destinationLink, subjectLink } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { fact } from '../../admin/board/table.ts';
import { age, clock, took, untrusted, when, whole } from '../../admin/board/text.ts';
import { announcementParams } from '../../admin/call.ts';
import { bodyMembers, bodySection, fileOf, readBody } from '../../admin/views/body.ts';
import { defineView, instant, listOf, type Shown } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import { rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';
import { subjectNames, withNames } from '../../store/subjects.ts';
import { announcementRow, selectAnnouncement, toRow } from './announcement-row.ts';
import { resendButton, stateBadge, whatOf } from './announcements.ts';
import { answerOf, attemptRow, headersOf, selectAttempts, textOf, toAttempt } from './attempts.ts';
import { findDestinations } from './destination-row.ts';

const other = announcementRow.pick({
  destination: true,
  state: true,
  isOnHold: true,
  isReplay: true,
  attempts: true,
  lastError: true,
});

const shownAnnouncement = announcementRow.extend({
  ...subjectNames,
  ...bodyMembers,
  address: announcementRow.shape.destination.describe('Address of its destination, without user, password and query.'),
  nextTryAt: instant.nullable().describe('When it is tried again; null if that is not known, or if it is not.'),
  others: listOf(other).describe('States for its other destinations.'),
  lastAttempts: listOf(attemptRow).describe('Last attempts for each destination, the newest first.'),
});

type ShownAnnouncement = z.output<typeof shownAnnouncement>;

export const announcementView = defineView({
  call: {
    path: '/announcements/{id}',
    id: 'getAnnouncement',
    summary: 'Shows an announcement with its body and the attempts to send it',
    tag: 'Announcements',
    description:
      'The body as the destination gets it, its state at every destination, and the last 20 attempts for each with request headers and answer. The body is null once it was purged. 404 if there is no such announcement.',
    role: 'bodies',
    row: shownAnnouncement,
    name: 'ShownAnnouncement',
    parts: { Attempt: attemptRow },
  },
  page: { path: '/announcements/{id}', html: announcementPage, file: (row) => fileOf(`${row.id}.json`, row) },
  params: announcementParams,
  missing: 'The announcement does not exist.',
  async read(sources, { id }, caller) {
    const { reads } = sources;
    const [first, ...others] = await selectAnnouncement(reads, id).select('body').execute();
    if (!first) return undefined;
    const row = toRow(first);
    const [named] = await withNames(reads, [row]);
    const attempts = selectAttempts(reads, { announcement: id }).orderBy('destination');
    const known = (await findDestinations(sources)).find(
      ({ tenant, name }) => tenant === first.tenant && name === row.destination,
    );
    return {
      ...row,
      ...named,
      ...readBody(first.body),
      address: known?.address ?? null,
      nextTryAt: await findNextTry(reads, row),
      others: others.map((it) => other.parse(toRow(it))),
      lastAttempts: (await attempts.orderBy('number', 'desc').execute()).map((row) => toAttempt(row, caller)),
    };
  },
});

/** Its subject sends one after the other. */
async function findNextTry(
  reads: Kysely<Database>,
  { subject, state, isOnHold, attempts }: Pick<ShownAnnouncement, 'subject' | 'state' | 'isOnHold' | 'attempts'>,
): Promise<Date | null> {
  const ref = parseSubjectKey(subject);
  if (!ref || state !== 'unsent' || isOnHold || attempts === 0) return null;
  const row = await rowsOf(reads, 'subjects', subjectColumns(ref)).select('announcing').executeTakeFirst();
  const trouble: { readonly nextTryAt?: number } = JSON.parse(row?.announcing ?? '{}');
  return trouble.nextTryAt === undefined ? null : new Date(trouble.nextTryAt);
}

function announcementPage({ row, caller, now }: Shown<ShownAnnouncement>): Page {
  const { id, state, deadLetteredAt, deadLetterReason, leftOut, destination, others } = row;
  const address = announcementAddress(id);
  const about = parseSubjectKey(row.subject);
  return {
    title: `${whatOf(row)} · ${row.referenceNumber ?? id}`,
    section: 'destinations',
    content: html`<div class="head"><a class="muted" href="/board/announcements/all">Deliveries</a>
<h1 class="plain">${whatOf(row)} · ${subjectLink(row.subject, row)}</h1> ${stateBadge(row)}
${may(caller, 'act') && html`<div class="actions">${state === 'dead-lettered' && resendButton(row, address)}</div>`}</div>
<dl class="facts">
${fact('Announcement', html`<span class="id">${untrusted(id)}</span>`)}
${fact('Destination', destination === null ? 'none: no destination wants it' : destinationLink({ tenant: about?.tenant ?? '', name: destination }))}
${fact('Created', when(row.createdAt))}
${fact('Delivered', row.sentAt !== null && when(row.sentAt))}
${fact('Size', plural(row.bytes, 'byte'))}
${fact('Sent without', leftOut.length > 0 && leftOut.join(', '))}
${fact('Given up', deadLetteredAt !== null && html`${when(deadLetteredAt)}: ${whole(deadLetterReason ?? '')}`)}
${others.map((it) => fact(`For ${it.destination}`, html`${stateBadge(it)} ${plural(it.attempts, 'attempt')}${it.lastError !== null && ` · ${it.lastError}`}`))}
</dl>
${rail(row, now)}
<div class="halves">
<div class="stack"><h2 id="request">Request</h2>${request(row)}${bodySection(row, `${address}/body`, caller)}</div>
<div class="stack"><h2 id="answer">Answer</h2>${answer(row, caller)}</div>
</div>`,
  };
}

function rail({ lastAttempts, nextTryAt, isOnHold, attempts, state }: ShownAnnouncement, now: number): Markup | false {
  if (lastAttempts.length === 0 && state !== 'unsent') return false;
  const next =
    nextTryAt !== null
      ? nextTryAt.getTime() > now
        ? html`in ${age(nextTryAt, now)}`
        : 'now'
      : isOnHold
        ? 'on hold: its destination is paused'
        : attempts === 0
          ? 'waits for its first try'
          : 'waits for its next try';
  return html`<section><h2 id="attempts">Attempts</h2><ol class="timeline">
${lastAttempts
  .toReversed()
  .map(
    (it) =>
      html`<li id="attempt-${it.destination}-${it.number}">${clock(it.at)} <div><span class="badge ${it.outcome === 'delivered' ? 'good' : 'warn'}">${it.status ?? 'no answer'}</span> <span class="muted">#${it.number} to ${it.destination}, ${took(it.ms)}</span>${it.error !== null && html` <span class="error">${untrusted(it.error, 120)}</span>`}${it.answer !== null && html` <q>${untrusted(textOf(it.answer, it.encoding), 120)}</q>`}</div></li>`,
  )}
${state === 'unsent' && html`<li><span class="muted">next</span> <div>${next}</div></li>`}</ol></section>`;
}

function request({ address, lastAttempts: [last] }: ShownAnnouncement): Markup {
  return html`<p class="muted">${address === null ? 'Its destination is not known any more.' : html`${address.startsWith('http') && 'POST '}<span class="id">${untrusted(address, 300)}</span>`}</p>
${last && headersOf(last)}`;
}

function answer({ lastAttempts: [last] }: ShownAnnouncement, caller: Caller): Markup {
  if (!last) return html`<p class="muted">No attempts kept.</p>`;
  if (last.answer === null) return html`<p>${answerOf(last, caller)}</p>`;
  return html`<pre class="body" tabindex="0" role="region" aria-label="Answer"><code dir="ltr">${textOf(last.answer, last.encoding)}</code></pre>`;
}
