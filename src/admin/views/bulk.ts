import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../store/schema.ts';
import { bulkAddress } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { bulkItems, bulkKinds, describeFilter, triedOf } from '../board/pages/bulk.ts';
import { nextPage, numeric, table } from '../board/table.ts';
import { foreign, number, when } from '../board/text.ts';
import { bulkNames } from '../bulk/filters.ts';
import { rowId } from '../queries.ts';
import { defineList } from './list.ts';
import { count, dateOrNull, instant } from './view.ts';

/** Form of a bulk action in a list: an action on everything that a filter named at a time. */
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
  sample: z
    .array(z.string())
    .describe('Its first items: keys of subjects, ids of announcements, or numbers of deliveries.'),
  done: count,
  asked: count.describe('Subjects whose warehouse was asked and had not answered when the action went on.'),
  failed: count,
  trouble: z.string().nullable().describe('Reason why it does not go on now; it does by itself.'),
  confirmedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});

/** Bulk action in a list. */
export type BulkRow = z.output<typeof bulkRow>;

/** Form of a bulk action by itself. */
export const shownBulk = bulkRow.extend({
  failures: z.array(z.object({ target: z.string(), error: z.string() })).describe('The first of those that failed.'),
});

/** Bulk action by itself. */
export type ShownBulk = z.output<typeof shownBulk>;

const read = ({ filter, sample, ...row }: Selectable<Database['bulk_actions']>): BulkRow => ({
  id: row.id,
  action: row.action,
  filter: JSON.parse(filter),
  state: row.state === 'previewed' && row.expires_at <= Date.now() ? 'expired' : row.state,
  createdAt: new Date(row.created_at),
  createdBy: row.created_by,
  expiresAt: new Date(row.expires_at),
  total: row.total,
  sample: JSON.parse(sample),
  done: row.done,
  asked: row.asked,
  failed: row.failed,
  trouble: row.trouble,
  confirmedAt: dateOrNull(row.confirmed_at),
  finishedAt: dateOrNull(row.finished_at),
});

/** Finds a bulk action. */
export async function findBulk(reads: Kysely<Database>, id: number): Promise<ShownBulk | undefined> {
  const row = await reads.selectFrom('bulk_actions').selectAll().where('id', '=', id).executeTakeFirst();
  return row && { ...read(row), failures: JSON.parse(row.failures) };
}

/** Bulk actions, the newest first. */
export const bulkList = defineList({
  path: '/bulk',
  summary: 'Lists bulk actions, the newest first',
  names: { row: 'Bulk', page: 'BulkPage' },
  filters: {},
  place: rowId,
  row: bulkRow,

  async read({ reads }, { after }, limit) {
    let query = reads.selectFrom('bulk_actions').selectAll().orderBy('id', 'desc').limit(limit);
    if (after !== undefined) query = query.where('id', '<', after);
    return (await query.execute()).map(read);
  },

  placeOf: ({ id }) => String(id),

  html: ({ rows, next }) => ({
    title: 'Bulk actions',
    section: '/board/audit',
    content: html`
<p><a href="/board/audit">Audit</a></p>
<h1>Bulk actions</h1>
<p class="muted">Actions on everything that a list's filter named; newest first. They begin with a button below the list.</p>
${rows.length === 0 && html`<p class="empty">None yet, or it was long ago.</p>`}
${rows.length > 0 && table({ label: 'Bulk actions', columns: ['Action', 'State', numeric('Tried'), numeric('Failed'), 'Filter', 'By', 'Chosen'], rows: rows.map(entry) })}
${nextPage(next)}`,
  }),
});

const entry = (bulk: BulkRow): Markup => html`<tr id="row-${bulk.id}">
<th scope="row" class="nowrap"><a href="${bulkAddress(bulk.id)}">${bulkKinds[bulk.action].verb} ${bulkItems(bulk.action, bulk.total)}</a></th>
<td><span class="badge ${bulk.state === 'done' ? 'good' : ''}">${bulk.state}</span></td>
<td class="number">${number(triedOf(bulk))}</td>
<td class="number">${number(bulk.failed)}</td>
<td>${describeFilter(bulk.filter)}</td>
<td>${foreign(bulk.createdBy, 60)}</td>
<td class="nowrap">${when(bulk.createdAt)}</td>
</tr>`;
