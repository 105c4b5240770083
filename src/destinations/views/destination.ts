import type { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { fact } from '../../admin/board/table.ts';
import { age, took, untrusted, when } from '../../admin/board/text.ts';
import { defineView, listOf, type Shown, type Sources } from '../../admin/views/view.ts';
import { capitalized } from '../../base/text.ts';
import { attemptOutcomes } from '../../domain/outgoing.ts';
import type { IdentityRef } from '../../domain/routing.ts';
import { type AttemptRow, answerOf, attemptRow, attemptsTable, selectAttempts, toAttempt } from './attempts.ts';
import {
  type DestinationRow,
  destinationParams,
  destinationRow,
  extentOf,
  percent,
  readDestination,
  stateBadge,
  unsent,
  wanted,
} from './destination-row.ts';
import { actionsOf, replayForm } from './destinations.ts';

const SHOWN = 20;

const shownDestination = destinationRow.extend({
  lastFailure: attemptRow.nullable().describe('Newest attempt that is kept and failed or was refused.'),
  lastAttempts: listOf(attemptRow).describe(`Newest attempts that are kept, ${SHOWN} at most.`),
});

type ShownDestination = z.output<typeof shownDestination>;

export const destinationView = defineView({
  call: {
    path: '/destinations/{tenant}/{name}',
    id: 'getDestination',
    summary: 'Shows a destination with its backlog and its latest answers',
    tag: 'Destinations',
    description:
      'One destination with its last failure and its 20 newest attempts. 404 if there is no such destination.',
    role: 'read',
    row: shownDestination,
    name: 'ShownDestination',
    parts: { Attempt: attemptRow },
  },
  page: { path: '/destinations/{tenant}/{name}', html: destinationPage },
  params: destinationParams,
  missing: 'There is no such destination.',
  async read(sources, ref, caller) {
    const row = await readDestination(sources, ref);
    return (
      row && {
        ...row,
        ...(await readAttempts(sources, row, caller)),
      }
    );
  },
});

async function readAttempts({ reads }: Sources, { tenant, id }: IdentityRef, caller: Caller) {
  const newest = attemptOutcomes.map((outcome) =>
    selectAttempts(reads, { tenant, destination: id, outcome }).orderBy('at', 'desc').limit(SHOWN).execute(),
  );
  const rows = (await Promise.all(newest)).flat().sort((a, b) => b.at - a.at || b.number - a.number);
  const attempts = rows.map((row) => toAttempt(row, caller));
  const lastFailure = attempts.find(({ outcome }) => outcome !== 'delivered') ?? null;
  return { lastAttempts: attempts.slice(0, SHOWN), lastFailure };
}

function destinationPage({ row, caller, now }: Shown<ShownDestination>): Page {
  const own = { destination: row.name, tenant: row.tenant };
  return {
    title: `Destination ${row.name}`,
    section: 'destinations',
    content: html`<div class="head"><a class="muted" href="/board/destinations">Destinations</a>
<h1><span class="aside">Destination </span>${row.name}</h1> ${stateBadge(row)} ${actionsOf(row, caller)}</div>
${factsOf(row, now)}
${row.lastFailure && failureOf(row.lastFailure, caller, now)}
<section><h2 id="attempts">Latest attempts</h2>
${row.lastAttempts.length === 0 ? html`<p class="empty">No attempts kept.</p>` : attemptsTable(row.lastAttempts, 'attempts', caller)}</section>
${may(caller, 'act') && replayForm(row)}
<p><a href="${listAddress('/board/announcements', own)}">Under way to it</a> · <a href="${listAddress('/board/dead-letters', own)}">Its dead letters</a> · <a href="${listAddress('/board/announcements/all', own)}">All of its deliveries</a></p>`,
  };
}

const factsOf = (row: DestinationRow, now: number): Markup => html`<dl class="facts">
${fact('Account', untrusted(row.tenant))}
${fact('Address', untrusted(row.address))}
${fact('Events', wanted(row))}
${fact('Payload', extentOf(row))}
${fact('Managed in', row.origin === 'configured' ? 'the configuration' : 'dockline admin destinations')}
${fact(capitalized(row.state), row.since && html`${when(row.since)} (${age(row.since, now)}): ${untrusted(row.because ?? '', 300)}`)}
${fact('Success', row.successRate !== null && html`${percent(row.successRate)} <span class="muted">of six hours</span>`)}
${fact('Backlog', unsent(row))}
${fact('Oldest', row.oldestUnsentAt && html`${when(row.oldestUnsentAt)} (${age(row.oldestUnsentAt, now)})`)}
</dl>`;

const failureOf = (
  attempt: AttemptRow,
  caller: Caller,
  now: number,
): Markup => html`<section><h2 id="failure">Last failure</h2>
<p>${when(attempt.at)} (${age(attempt.at, now)}), after ${took(attempt.ms)}: ${untrusted(attempt.error ?? '', 300)}</p>
${answerOf(attempt, caller)}</section>`;
