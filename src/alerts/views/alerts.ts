import type { Kysely } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { table } from '../../admin/board/table.ts';
import { ago, untrusted, when } from '../../admin/board/text.ts';
import { count, dateOrNull, defineView, instant, listOf, type Shown, type Sources } from '../../admin/views/view.ts';
import { changes, phases } from '../../domain/health/alert.ts';
import { conditionNames, factsOf } from '../../domain/health/condition.ts';
import { columnsFor, readRow, type Stored } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { readAlert } from '../tables/alerts.ts';

const messageRow = z.object({
  id: z.string(),
  channel: z.string(),
  title: z.string(),
  news: listOf(
    z.object({ condition: z.enum(conditionNames), about: z.string(), change: z.enum(changes), text: z.string() }),
  ),
  madeAt: instant,
  notifiedAt: instant.nullable().describe('Null until it is confirmed.'),
  failures: count.describe('Attempts that its own channel has not confirmed.'),
  lastError: z.string().nullable(),
  nextTryAt: instant.nullable(),
});

type MessageRow = z.output<typeof messageRow>;

const selectMessages = (reads: Kysely<Database>) =>
  reads.selectFrom('alert_messages').select(columnsFor('alert_messages', messageRow)).select('attempts as failures');

const toMessage = (row: Stored<typeof selectMessages>): MessageRow =>
  readRow(messageRow, row, {
    news: JSON.parse(row.news),
    nextTryAt: row.notifiedAt === null ? new Date(row.nextTryAt) : null,
  });

const condition = z.enum(conditionNames);

const alertRow = z.object({
  condition,
  about: z.string().describe('Place of the incident; empty for the installation.'),
  audience: z
    .string()
    .describe('Warehouse accounts and customers (`9104:418`) of the channels that hear of it; empty for everything.'),
  phase: z.enum(phases).describe('`noticed`, until it has held for a while; `open`; `over`, until all channels know.'),
  text: z.string(),
  because: z.string().nullable(),
  count,
  isMore: z.boolean().describe('There may be more.'),
  since: instant,
  path: z.string().describe('Page of the board where it is fixed.'),
  notified: listOf(z.object({ channel: z.string(), as: z.enum(['open', 'over']), at: instant })).describe(
    'What each channel has confirmed.',
  ),
});

const silenceRow = z.object({ condition, until: instant, by: z.string() });

const alertsRow = z.object({
  watchedAt: instant
    .nullable()
    .describe('Last look for what is wrong; null if nothing looks, since no channel is configured.'),
  alerts: listOf(alertRow),
  silences: listOf(silenceRow),
  messages: listOf(messageRow).describe('Newest messages.'),
});

type AlertRow = z.output<typeof alertRow>;
type SilenceRow = z.output<typeof silenceRow>;

const ALERTS = 500;
const MESSAGES = 50;

async function readAlerts({ reads }: Sources): Promise<z.output<typeof alertsRow>> {
  const watch = await reads.selectFrom('alert_watch').select('watched_at').executeTakeFirst();
  const stored = await reads.selectFrom('alerts').selectAll().orderBy('since', 'desc').limit(ALERTS).execute();
  const silences = await reads.selectFrom('alert_silences').selectAll().orderBy('condition').execute();
  const messages = await selectMessages(reads).orderBy('made_at', 'desc').limit(MESSAGES).execute();
  return {
    watchedAt: dateOrNull(watch?.watched_at ?? null),
    alerts: stored.map(readAlert).map(({ audience, alert: { finding, phase, notified } }) =>
      readRow(alertRow, finding, {
        ...{ about: finding.place, audience, phase, text: finding.title },
        notified: Object.entries(notified).map(([channel, { as, at }]) => ({ channel, as, at: new Date(at) })),
      }),
    ),
    silences: silences.map(({ condition, until, silenced_by: by }) => ({ condition, until: new Date(until), by })),
    messages: messages.map(toMessage),
  };
}

export const alertsView = defineView({
  call: {
    path: '/alerts',
    id: 'listAlerts',
    summary: 'Lists open alerts, notifications and silences',
    tag: 'Alerts',
    description:
      'The open alerts with who was notified of each, the newest messages and the silences, as the page *Alerts* of the board shows them.',
    role: 'read',
    row: alertsRow,
    name: 'Alerts',
    parts: { Alert: alertRow, AlertMessage: messageRow, AlertSilence: silenceRow },
  },
  page: { path: '/alerts', html: alertsPage },
  params: z.object({}),
  read: readAlerts,
});

const SILENT_MS = 180_000;

function alertsPage({ row, now, caller }: Shown<z.output<typeof alertsRow>>): Page {
  const { watchedAt, alerts, silences, messages } = row;
  const mayAct = may(caller, 'act');
  const open = alerts.filter(({ phase }) => phase === 'open');
  const isOn = watchedAt !== null && now - watchedAt.getTime() < SILENT_MS;
  return {
    title: 'Alerts',
    section: 'alerts',
    content: html`<h1>Alerts</h1>
${caller.limits !== undefined && html`<p class="muted">Your token is limited, so it shows no alerts.</p>`}
${caller.limits === undefined && !isOn && html`<p class="problem">Nobody is notified: ${watchedAt === null ? html`no channel is configured (<code>alerts</code> in <code>CONFIG_FILE</code>)` : html`the last check was ${when(watchedAt)}`}.</p>`}
<section><h2 id="open">Open now</h2>
${open.length === 0 ? html`<p class="empty">No open alerts.</p>` : openTable(open, silences, now, mayAct)}
</section>
${silences.length > 0 && html`<section><h2 id="silences">Silenced</h2>${silenceTable(silences, mayAct)}</section>`}
<section><h2 id="messages">Messages</h2>
${messages.length === 0 ? html`<p class="empty">No messages yet.</p>` : messageTable(messages)}
</section>`,
  };
}

const openTable = (rows: readonly AlertRow[], silences: readonly SilenceRow[], now: number, mayAct: boolean): Markup =>
  table({
    heading: 'open',
    rows,
    columns: {
      What: ({ path, text, audience, because }) =>
        html`<a href="${path}">${untrusted(text, 200)}</a>${audience !== '' && html` <span class="muted">for ${untrusted(audience)}</span>`}${because !== null && html`<br><span class="muted">${untrusted(because, 300)}</span>`}`,
      Since: { as: 'nowrap', cell: ({ since }) => ago(since, now) },
      Notified: ({ notified }) =>
        notified.length === 0
          ? 'nobody yet'
          : notified.map((it) => html`<span class="nowrap">${it.channel} ${ago(it.at, now)}</span> `),
      Action: mayAct && {
        as: 'action',
        cell: (row) => !silences.some((it) => it.condition === row.condition) && silenceForm(row.condition),
      },
    },
  });

const silenceForm = (
  name: AlertRow['condition'],
): Markup => html`<form class="actions" method="post" action="/board/alerts/${name}/silence">
<select name="minutes" aria-label="For how long"><option value="120">2 hours</option><option value="480">8 hours</option><option value="1440">a day</option></select>
<button>Silence</button> <span class="muted">every “${factsOf(name).title}”, of all warehouses</span></form>`;

const messageTable = (rows: readonly MessageRow[]): Markup =>
  table({
    heading: 'messages',
    rows,
    columns: {
      When: { as: 'nowrap', cell: ({ madeAt }) => when(madeAt) },
      Channel: { as: 'nowrap', cell: ({ channel }) => channel },
      Message: ({ title, news }) =>
        news.length === 1
          ? untrusted(title, 200)
          : html`<details><summary>${title}</summary><ul>${news.map(({ text }) => html`<li>${untrusted(text, 200)}</li>`)}</ul></details>`,
      Confirmed: ({ notifiedAt, failures, lastError }) =>
        html`<span class="badge ${notifiedAt === null ? 'warn' : 'good'}">${notifiedAt === null ? 'not yet' : 'yes'}</span>${failures > 0 && html` <span class="muted">${failures} failed: ${untrusted(lastError ?? '', 200)}</span>`}`,
    },
  });

const silenceTable = (rows: readonly SilenceRow[], mayAct: boolean): Markup =>
  table({
    heading: 'silences',
    rows,
    columns: {
      Condition: (row) => factsOf(row.condition).title,
      Until: { as: 'nowrap', cell: ({ until }) => when(until) },
      By: ({ by }) => untrusted(by, 60),
      Action: mayAct && {
        as: 'action',
        cell: (row) =>
          html`<form method="post" action="/board/alerts/${row.condition}/unsilence"><button>End</button></form>`,
      },
    },
  });
