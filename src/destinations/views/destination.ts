import { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { chart } from '../../admin/board/chart.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { fact } from '../../admin/board/table.ts';
import { age, number, took, untrusted, when } from '../../admin/board/text.ts';
import { findLastAction, lastAction, showResult } from '../../admin/views/last-action.ts';
import { count, defineView, instant, listOf, type Shown, type Sources } from '../../admin/views/view.ts';
import { attemptOutcomes } from '../../domain/exchange.ts';
import type { DestinationRef } from '../../domain/routing.ts';
import { COUNTED, countEach } from '../../store/bounded-count.ts';
import { countAttempts } from '../tables/counts.ts';
import { identityOf } from '../tables/identities.ts';
import { type AttemptRow, answerOf, attemptRow, attemptsTable, selectAttempts, toAttempt } from './attempts.ts';
import { actionsOf, replayForm } from './destination-forms.ts';
import {
  type DestinationRow,
  destinationParams,
  destinationRow,
  extentOf,
  percent,
  readDestinations,
  stateBadge,
  unsent,
  wanted,
} from './destination-row.ts';

/** Length of a slice of the chart, and the number of slices: the last six hours. */
const SLICE = 900_000;
const SLICES = 24;

/** Number of attempts that are shown. */
const SHOWN = 20;

const slice = z.object({ at: instant, delivered: count, failed: count, refused: count });

type Slice = z.output<typeof slice>;

/** Destination with what it has answered. */
const shownDestination = destinationRow.extend({
  lastAction: lastAction.nullable().describe('What somebody did to it last.'),
  results: listOf(slice).describe(
    `Attempts of the last six hours by the beginning of each quarter of an hour, oldest first; of each result ${COUNTED} at most.`,
  ),
  lastFailure: attemptRow.nullable().describe('Newest attempt that is kept and failed or was refused.'),
  lastAttempts: listOf(attemptRow).describe(`Newest attempts that are kept, ${SHOWN} at most.`),
});

type ShownDestination = z.output<typeof shownDestination>;

export const destinationView = defineView({
  call: {
    path: '/destinations/{tenant}/{name}',
    id: 'getDestination',
    summary: 'Shows a destination with its backlog and its latest answers',
    tag: 'Receivers',
    description:
      'One destination with its results of the last six hours by quarters of an hour, its last failure and its 20 newest attempts. 404 if there is no such destination.',
    role: 'read',
    row: shownDestination,
    name: 'ShownDestination',
    parts: { Attempt: attemptRow },
  },
  page: { path: '/destinations/{tenant}/{name}', html: destinationPage },
  params: destinationParams,
  missing: 'There is no such destination.',
  async read(sources, ref, caller) {
    const isMeant = ({ tenant, name }: DestinationRef) => tenant === ref.tenant && name === ref.name;
    const [row] = await readDestinations(sources, isMeant);
    return (
      row && {
        ...row,
        lastAction: await findLastAction(sources.reads, { type: 'destination', id: `${ref.tenant} ${ref.name}` }),
        results: await countResults(sources, ref),
        ...(await readAttempts(sources, ref, caller)),
      }
    );
  },
});

async function countResults({ reads }: Sources, { tenant, name }: DestinationRef): Promise<readonly Slice[]> {
  const last = Math.floor(Date.now() / SLICE) * SLICE;
  const begins = Array.from({ length: SLICES }, (_, index) => last - (SLICES - 1 - index) * SLICE);
  const asked = begins.flatMap((from) => attemptOutcomes.map((outcome) => ({ from, outcome })));
  const counted = await countEach(reads, asked, ({ from, outcome }) =>
    countAttempts({ tenant, name, outcome, from, to: from + SLICE }),
  );
  const countOf = (from: number, outcome: (typeof attemptOutcomes)[number]) =>
    counted.find(({ item }) => item.from === from && item.outcome === outcome)?.count ?? 0;
  return begins.map((from) => ({
    at: new Date(from),
    delivered: countOf(from, 'delivered'),
    failed: countOf(from, 'failed'),
    refused: countOf(from, 'refused'),
  }));
}

/** Reads the newest attempts, of each result by its part of the index. */
async function readAttempts({ reads }: Sources, ref: DestinationRef, caller: Caller) {
  const newest = attemptOutcomes.map((outcome) =>
    selectAttempts(reads)
      .where(({ and }) => and({ tenant: ref.tenant, outcome }))
      .where('destination', '=', identityOf(ref))
      .orderBy('at', 'desc')
      .limit(SHOWN)
      .execute(),
  );
  const rows = (await Promise.all(newest)).flat().sort((a, b) => b.at - a.at || b.number - a.number);
  const attempts = rows.map((row) => toAttempt(row, caller));
  const lastFailure = attempts.find(({ outcome }) => outcome !== 'delivered') ?? null;
  return { lastAttempts: attempts.slice(0, SHOWN), lastFailure };
}

function destinationPage({ row, caller, done, now }: Shown<ShownDestination>): Page {
  const own = { destination: row.name, tenant: row.tenant };
  return {
    title: `Receiver ${row.name}`,
    section: 'receivers',
    content: html`<div class="head"><a class="muted" href="/board/destinations">Receivers</a>
<h1><span class="aside">Receiver </span>${row.name}</h1> ${stateBadge(row)} ${actionsOf(row, caller)}</div>
${showResult(row.lastAction, done, now)}
${factsOf(row, now)}
${resultsChart(row)}
${row.lastFailure && failureOf(row.lastFailure, caller, now)}
<section><h2 id="attempts">Latest attempts</h2>
${row.lastAttempts.length === 0 ? html`<p class="empty">No attempts kept.</p>` : attemptsTable(row.lastAttempts, { heading: 'attempts', caller })}</section>
${may(caller, 'act') && replayForm(row)}
<p><a href="${listAddress('/board/announcements', own)}">Under way to it</a> · <a href="${listAddress('/board/dead-letters', own)}">Its dead letters</a> · <a href="${listAddress('/board/announcements/all', own)}">All of its deliveries</a></p>`,
  };
}

const stateNames = { active: '', failing: 'Failing', paused: 'Paused', stopped: 'Stopped' } as const;

const factsOf = (row: DestinationRow, now: number): Markup => html`<dl class="facts">
${fact('Account', untrusted(row.tenant))}
${fact('Address', untrusted(row.address))}
${fact('Events', wanted(row))}
${fact('Payload', extentOf(row))}
${fact('Managed in', row.origin === 'configured' ? 'the configuration' : 'dockline admin destination')}
${fact(stateNames[row.state], row.since && html`${when(row.since)} (${age(row.since, now)}): ${untrusted(row.because ?? '', 300)}`)}
${fact('Success', row.successRate !== null && html`${percent(row.successRate)} <span class="muted">of six hours</span>`)}
${fact('p95', row.p95Ms !== null && took(row.p95Ms))}
${fact('Backlog', unsent(row))}
${fact('Oldest', row.oldestUnsentAt && html`${when(row.oldestUnsentAt)} (${age(row.oldestUnsentAt, now)})`)}
</dl>`;

function resultsChart({ results }: ShownDestination): Markup {
  const bars = results.map(({ at, ...counts }) => ({
    at: at.getTime(),
    text: attemptOutcomes.map((outcome) => `${number(counts[outcome])} ${outcome}`).join(', '),
    parts: attemptOutcomes.map((kind) => ({ kind, count: counts[kind] })),
  }));
  const sumOf = (outcome: (typeof attemptOutcomes)[number]) => results.reduce((sum, it) => sum + it[outcome], 0);
  const totals = attemptOutcomes.map((outcome) => `${number(sumOf(outcome))} ${outcome}`);
  return html`<section class="card"><h2 id="results">Attempts of the last six hours</h2>
${chart(bars, `Attempts in each quarter of an hour. In all ${totals.join(', ')}.`)}
<p class="legend">${attemptOutcomes.map((outcome, index) => html`<span class="key ${outcome}">${totals[index]}</span> `)}</p>
</section>`;
}

const failureOf = (
  attempt: AttemptRow,
  caller: Caller,
  now: number,
): Markup => html`<section><h2 id="failure">Last failure</h2>
<p>${when(attempt.at)} (${age(attempt.at, now)}), after ${took(attempt.ms)}: ${untrusted(attempt.error ?? '', 300)}</p>
${answerOf(attempt, caller)}</section>`;
