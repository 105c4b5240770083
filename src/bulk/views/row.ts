import type { Kysely } from 'kysely';
import { z } from 'zod';
import { bulkAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { bulkItems, bulkKinds, sayFilter, triedOf } from '../../admin/board/list-forms.ts';
import { number, when } from '../../admin/board/text.ts';
import type { Filters } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { newestFirst } from '../../admin/views/place.ts';
import { count, instant, listOf } from '../../admin/views/view.ts';
import { columnsFor, readRow, type Stored } from '../../store/rows.ts';
import { bulkNames, type Database } from '../../store/schema.ts';
import { bulkActions } from '../filters.ts';

const bulkRow = z.object({
  id: count,
  action: z.enum(bulkNames),
  filter: z.record(z.string(), z.string()),
  state: z
    .enum(['previewed', 'expired', 'running', 'done', 'canceled'])
    .describe('It waits to be confirmed, nobody confirmed it in time, it runs, it is done, or somebody canceled it.'),
  createdAt: instant.describe('When it was previewed: nothing that came later is touched.'),
  createdBy: z.string(),
  expiresAt: instant.describe('When its preview can no longer be confirmed.'),
  total: count.describe('Number of items at its preview.'),
  sample: listOf(z.string()).describe(
    'Its first items: keys of subjects, ids of announcements, or numbers of deliveries.',
  ),
  done: count,
  asked: count.describe('Subjects whose warehouse was asked and had not answered when the action went on.'),
  failed: count,
  trouble: z.string().nullable().describe('Reason why it does not go on now; it does by itself.'),
  confirmedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});

export type BulkRow = z.output<typeof bulkRow>;

export const shownBulk = bulkRow.extend({
  failures: listOf(z.object({ target: z.string(), error: z.string() })).describe('The first of those that failed.'),
});

export type ShownBulk = z.output<typeof shownBulk>;

const selectBulk = (reads: Kysely<Database>) =>
  reads.selectFrom('bulk_actions').select(columnsFor('bulk_actions', bulkRow));

const toBulk = (row: Stored<typeof selectBulk>): BulkRow =>
  readRow(bulkRow, row, {
    filter: JSON.parse(row.filter),
    state: row.state === 'previewed' && row.expiresAt <= Date.now() ? 'expired' : row.state,
    sample: JSON.parse(row.sample),
  });

export async function findBulk(reads: Kysely<Database>, id: number): Promise<ShownBulk | undefined> {
  const row = await selectBulk(reads).select('failures').where('id', '=', id).executeTakeFirst();
  return row && { ...toBulk(row), failures: JSON.parse(row.failures) };
}

export function describeFilter({ action, filter }: Pick<BulkRow, 'action' | 'filter'>): Markup {
  const filters: Filters = bulkActions[action].filters;
  // What says which was chosen goes before its details.
  const given = Object.entries(filter).filter(([name]) => name !== 'data');
  if (given.length === 0) return html`everything`;
  return html`${given.map(([name, value], index) => html`${index > 0 && ', '}${sayFilter(name, value, filters[name])}`)}`;
}

export const NO_BULK = 'The bulk action does not exist, or it was purged.';

export const bulkList = defineList({
  path: '/bulk',
  summary: 'Lists bulk actions, newest first',
  tag: 'Bulk actions',
  description:
    'Previews, running and finished bulk actions, with how much each has done. Canceled and expired ones are listed as well.',
  names: { row: 'Bulk', page: 'BulkPage' },
  filters: {},
  row: bulkRow,
  columns: {
    id: {},
    action: {
      as: 'nowrap',
      cell: ({ id, action, total }) =>
        html`<a href="${bulkAddress(id)}">${bulkKinds[action].verb} ${bulkItems(action, total)}</a>`,
    },
    filter: { cell: describeFilter, text: ({ filter }) => Object.entries(filter).map((it) => it.join(': ')) },
    state: { cell: ({ state }) => html`<span class="badge ${state === 'done' ? 'good' : ''}">${state}</span>` },
    total: {},
    tried: { as: 'number', cell: (bulk) => number(triedOf(bulk)) },
    done: {},
    asked: {},
    failed: { as: 'number' },
    createdAt: { head: 'Chosen', as: 'nowrap', cell: ({ createdAt }) => when(createdAt) },
    createdBy: { head: 'By', as: 'text' },
  },

  select: ({ reads }) => selectBulk(reads),
  order: () => newestFirst,
  toRows: (_sources, stored) => stored.map(toBulk),

  page: () => ({
    title: 'Bulk actions',
    section: 'audit',
    about: html`<p class="muted">Actions on everything that matched a list's filter, newest first. Start one with the buttons above a list. <a href="/board/audit">Audit</a></p>`,
    empty: 'No bulk actions. Older ones may have been purged.',
  }),
});
