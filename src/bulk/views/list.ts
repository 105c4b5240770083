import { bulkAddress } from '../../admin/board/addresses.ts';
import { bulkItems, bulkKinds, triedOf } from '../../admin/board/bulk-form.ts';
import { html } from '../../admin/board/html.ts';
import { listEnd, nowrap, numeric, type Row, table } from '../../admin/board/table.ts';
import { number, untrusted, when } from '../../admin/board/text.ts';
import { defineList } from '../../admin/views/list.ts';
import { newestFirst } from '../../admin/views/place.ts';
import { type BulkRow, bulkRow, describeFilter, selectBulk, toBulk } from './row.ts';

export const bulkList = defineList({
  path: '/bulk',
  summary: 'Lists bulk actions, newest first',
  tag: 'Bulk actions',
  description:
    'Previews, running and finished bulk actions, with how much each has done. Canceled and expired ones are listed as well.',
  names: { row: 'Bulk', page: 'BulkPage' },
  filters: {},
  row: bulkRow,
  columns: ['id', 'action', 'filter', 'state', 'total', 'done', 'asked', 'failed', 'createdAt', 'createdBy'],

  select: ({ reads }) => selectBulk(reads),
  order: () => newestFirst,
  toRows: (_sources, stored) => stored.map(toBulk),

  html: ({ rows, ...shown }) => ({
    title: 'Bulk actions',
    section: 'audit',
    content: html`
<p><a href="/board/audit">Audit</a></p>
<h1>Bulk actions</h1>
<p class="muted">Actions on everything that matched a list's filter, newest first. Start one with the button below a list.</p>
${rows.length === 0 && html`<p class="empty">No bulk actions. Older ones may have been purged.</p>`}
${rows.length > 0 && table({ label: 'Bulk actions', columns: [nowrap('Action'), 'State', numeric('Tried'), numeric('Failed'), 'Filter', 'By', nowrap('Chosen')], rows: rows.map(entry) })}
${listEnd({ rows, ...shown })}`,
  }),
});

const entry = (bulk: BulkRow): Row => ({
  id: String(bulk.id),
  cells: [
    html`<a href="${bulkAddress(bulk.id)}">${bulkKinds[bulk.action].verb} ${bulkItems(bulk.action, bulk.total)}</a>`,
    html`<span class="badge ${bulk.state === 'done' ? 'good' : ''}">${bulk.state}</span>`,
    number(triedOf(bulk)),
    number(bulk.failed),
    describeFilter(bulk),
    untrusted(bulk.createdBy, 60),
    when(bulk.createdAt.getTime()),
  ],
});
