import { bulkAddress } from '../../admin/board/addresses.ts';
import { bulkItems, bulkKinds, triedOf } from '../../admin/board/bulk-form.ts';
import { html } from '../../admin/board/html.ts';
import { number, when } from '../../admin/board/text.ts';
import { defineList } from '../../admin/views/list.ts';
import { newestFirst } from '../../admin/views/place.ts';
import { bulkRow, describeFilter, selectBulk, toBulk } from './row.ts';

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
