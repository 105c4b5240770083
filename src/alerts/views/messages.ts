import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { html } from '../../admin/board/html.ts';
import { untrusted } from '../../admin/board/text.ts';
import { atLeast, equals, fieldBy } from '../../admin/filter.ts';
import { explained, moment, text } from '../../admin/queries.ts';
import type { ListColumns } from '../../admin/views/columns.ts';
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
  channel: fieldBy(explained(text, 'only this channel', 'on-call'), equals('channel')),
  confirmed: fieldBy(z.enum(['true', 'false']).describe('only those that were confirmed, or were not'), (confirmed) =>
    confirmed === 'true' ? sql`told_at is not null` : sql`told_at is null`,
  ),
  since: fieldBy(moment.describe('only those made since then'), atLeast('made_at')),
};

export const messageColumns: ListColumns<MessageRow, unknown> = {
  madeAt: { head: 'When', as: 'nowrap' },
  channel: { as: 'nowrap' },
  title: {
    head: 'Message',
    cell: ({ title, news }) =>
      news.length === 1
        ? untrusted(title, 200)
        : html`<details><summary>${title}</summary><ul>${news.map(({ text }) => html`<li>${untrusted(text, 200)}</li>`)}</ul></details>`,
  },
  toldAt: {
    head: 'Confirmed',
    cell: ({ toldAt, failures, lastError }) =>
      html`<span class="badge ${toldAt === null ? 'warn' : 'good'}">${toldAt === null ? 'not yet' : 'yes'}</span>${failures > 0 && html` <span class="muted">${failures} failed: ${untrusted(lastError ?? '', 200)}</span>`}`,
  },
  failures: {},
  lastError: {},
};

export const messageList = defineList({
  path: '/alerts/messages',
  summary: 'Lists notifications, newest first',
  tag: 'Alerts',
  description: 'Use it to check whether a channel was notified, and whether it has confirmed that.',
  names: { row: 'AlertMessage', page: 'AlertMessagePage' },
  filters,
  row: messageRow,
  columns: messageColumns,

  select: ({ reads }) => selectMessages(reads),
  order: () => ({ by: [byNumber('made_at'), byText('id')], isDescending: true }),
  toRows: (_sources, stored) => stored.map(toMessage),

  page: () => ({
    title: 'Messages',
    section: 'alerts',
    about: html`<p class="muted">Notifications that were sent, newest first. <a href="/board/alerts">Alerts</a></p>`,
    empty: 'No messages. Older ones may have been purged.',
  }),
});
