import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { filterForm } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { listEnd, nowrap, table } from '../../admin/board/table.ts';
import { ago, untrusted } from '../../admin/board/text.ts';
import { filterBy } from '../../admin/filter.ts';
import { explained, moment, text } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { byNumber, byText } from '../../admin/views/place.ts';
import { count, instant, listOf } from '../../admin/views/view.ts';
import { conditionNames } from '../../domain/health/condition.ts';
import { changes } from '../../domain/health/telling.ts';
import type { Database } from '../../store/schema.ts';
import { columnsFor, readRow, type Stored } from '../../store/stored-row.ts';

export const messageRow = z.object({
  id: z.string(),
  channel: z.string(),
  title: z.string(),
  news: listOf(
    z.object({ condition: z.enum(conditionNames), about: z.string(), change: z.enum(changes), text: z.string() }),
  ),
  madeAt: instant,
  toldAt: instant.nullable().describe('Null until it is confirmed.'),
  failures: count.describe('Attempts that its own channel has not confirmed.'),
  lastError: z.string().nullable(),
  nextTryAt: instant.nullable(),
});

type MessageRow = z.output<typeof messageRow>;

export const selectMessages = (reads: Kysely<Database>) =>
  reads.selectFrom('alert_messages').select(columnsFor('alert_messages', messageRow)).select('attempts as failures');

export const toMessage = (row: Stored<typeof selectMessages>): MessageRow =>
  readRow(messageRow, row, {
    news: JSON.parse(row.news),
    nextTryAt: row.toldAt === null ? new Date(row.nextTryAt) : null,
  });

const filters = {
  channel: filterBy(explained(text, 'only this channel', 'on-call'), {
    label: 'Channel',
    where: (channel) => sql`channel = ${channel}`,
  }),
  confirmed: filterBy(z.enum(['true', 'false']).describe('only those that were confirmed, or were not'), {
    label: 'Confirmed',
    where: (confirmed) => (confirmed === 'true' ? sql`told_at is not null` : sql`told_at is null`),
  }),
  since: filterBy(moment.describe('only those made since then'), {
    label: 'Since',
    where: (at) => sql`made_at >= ${at}`,
  }),
};

export const messageList = defineList({
  path: '/alerts/messages',
  summary: 'Lists notifications, newest first',
  tag: 'Alerts',
  description: 'Use it to check whether a channel was notified, and whether it has confirmed that.',
  names: { row: 'AlertMessage', page: 'AlertMessagePage' },
  filters,
  row: messageRow,
  columns: ['madeAt', 'channel', 'title', 'toldAt', 'failures', 'lastError'],

  select: ({ reads }) => selectMessages(reads),
  order: () => ({ by: [byNumber('made_at'), byText('id')], isDescending: true }),
  toRows: (_sources, stored) => stored.map(toMessage),

  html: (shown) => ({
    title: 'Messages',
    section: 'alerts',
    content: html`<p><a href="/board/alerts">Alerts</a></p>
<h1>Messages</h1>
<p class="muted">Notifications that were sent, newest first.</p>
${filterForm(shown)}
${shown.rows.length === 0 ? html`<p class="empty">No messages. Older ones may have been purged.</p>` : messageTable(shown.rows, shown.now)}
${listEnd(shown)}`,
  }),
});

export const messageTable = (messages: readonly MessageRow[], now: number): Markup =>
  table({
    label: 'Messages',
    columns: [nowrap('When'), nowrap('Channel'), 'Message', 'Confirmed'],
    rows: messages.map(({ madeAt, channel, title, news, toldAt, failures, lastError }) => ({
      cells: [
        ago(madeAt, now),
        channel,
        news.length === 1
          ? untrusted(title, 200)
          : html`<details><summary>${title}</summary><ul>${news.map(({ text }) => html`<li>${untrusted(text, 200)}</li>`)}</ul></details>`,
        html`<span class="badge ${toldAt === null ? 'warn' : 'good'}">${toldAt === null ? 'not yet' : 'yes'}</span>${failures > 0 && html` <span class="muted">${failures} failed: ${untrusted(lastError ?? '', 200)}</span>`}`,
      ],
    })),
  });
