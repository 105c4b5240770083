import type { Kysely } from 'kysely';
import { z } from 'zod';
import { sayFilter } from '../../admin/board/filter-form.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Filters } from '../../admin/filter.ts';
import { count, instant, listOf } from '../../admin/views/view.ts';
import { plural } from '../../base/text.ts';
import { bulkNames, type Database } from '../../store/schema.ts';
import { columnsFor, readRow, type Stored } from '../../store/stored-row.ts';
import { bulkActions } from '../filters.ts';

export const bulkRow = z.object({
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

export const selectBulk = (reads: Kysely<Database>) =>
  reads.selectFrom('bulk_actions').select(columnsFor('bulk_actions', bulkRow));

export const toBulk = (row: Stored<typeof selectBulk>): BulkRow =>
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
  return html`${given.map(([name, value], index) => html`${index > 0 && ', '}${name === 'keys' ? `${plural(value.split(' ').length, 'record')} selected` : sayFilter(name, value, filters[name])}`)}`;
}

export const NO_BULK = 'The bulk action does not exist, or it was purged.';
