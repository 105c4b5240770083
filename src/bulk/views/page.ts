import { may } from '../../admin/access.ts';
import { bulkAddress, targetLink } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { bulkItems, bulkKinds, triedOf } from '../../admin/board/list-forms.ts';
import { fact, table } from '../../admin/board/table.ts';
import { duration, number, untrusted, when } from '../../admin/board/text.ts';
import { idParams } from '../../admin/queries.ts';
import { defineView, type Shown } from '../../admin/views/view.ts';
import { capitalized } from '../../base/text.ts';
import { type BulkRow, describeFilter, findBulk, NO_BULK, type ShownBulk, shownBulk } from './row.ts';

function bulkPage({ row: bulk, caller, now }: Shown<ShownBulk>): Page {
  const title = titleOf(bulk);
  return {
    title,
    section: 'audit',
    content: html`
<p><a href="/board/bulk">Bulk actions</a></p>
<h1>${title}</h1>
${standing(bulk, now)}
${may(caller, 'act') && forms(bulk)}
${facts(bulk)}
${items(bulk)}`,
  };
}

const titleOf = ({ action, state, total }: BulkRow): string =>
  `${bulkKinds[action].verb} ${bulkItems(action, total)}${state === 'previewed' ? '?' : `: ${state}`}`;

function standing(bulk: BulkRow, now: number): Markup {
  const { action, state, total, done, asked, failed, expiresAt, trouble } = bulk;
  if (state === 'previewed' && total === 0) return html`<p class="empty">Nothing matches.</p>`;
  if (state === 'previewed')
    return html`<p>Nothing has been done yet, and nothing that comes later will be touched. The preview holds for ${duration(expiresAt.getTime() - now)}.</p>`;
  if (bulk.confirmedAt === null) return html`<p>Nothing was done. Start again from the list.</p>`;
  const tried = triedOf(bulk);
  const left = state === 'done' && tried < total ? ' When it came to the others, they no longer matched.' : '';
  return html`<div>${state === 'running' && html`<progress max="${total}" value="${tried}" aria-label="Progress"></progress>`}
<p role="status">${number(tried)} of ${bulkItems(action, total)} tried: ${number(done)} done, ${number(failed)} failed${asked > 0 && `, ${number(asked)} without an answer yet`}.${left}</p></div>
${trouble !== null && html`<p class="problem">${trouble} It continues automatically.</p>`}`;
}

function forms({ id, action, state, total }: BulkRow): Markup | null {
  const form = (name: string, label: string, isPrimary: boolean) =>
    html`<form method="post" action="${bulkAddress(id)}/${name}"><button${isPrimary && html` class="primary"`}>${label}</button></form>`;
  if (state === 'previewed') {
    return html`<div class="actions">${total > 0 && form('confirm', `${bulkKinds[action].verb} ${bulkItems(action, total)}`, true)}${form('cancel', 'Cancel', false)}</div>`;
  }
  return state === 'running' ? html`<div class="actions">${form('cancel', 'Cancel the rest', false)}</div>` : null;
}

const facts = (bulk: BulkRow): Markup => {
  const { createdAt, createdBy, confirmedAt, finishedAt } = bulk;
  return html`<dl class="facts">
${fact('Filter', describeFilter(bulk))}
${fact('Chosen', html`${when(createdAt.getTime())} by ${untrusted(createdBy, 60)}`)}
${fact('Confirmed', confirmedAt !== null && when(confirmedAt.getTime()))}
${fact('Ended', finishedAt !== null && when(finishedAt.getTime()))}
</dl>`;
};

/** Items of a preview, or those that failed. */
function items({ action, confirmedAt, sample, total, failures, failed }: ShownBulk): Markup | false {
  const { item, type } = bulkKinds[action];
  const [title, rows, all] =
    confirmedAt === null
      ? (['To do', sample.map((target) => ({ target, error: null })), total] as const)
      : (['Failed', failures, failed] as const);
  return (
    rows.length > 0 &&
    html`<section><h2 id="items">${title}${all > rows.length && `: the first ${rows.length} of ${number(all)}`}</h2>
${table<{ readonly target: string; readonly error: string | null }>({
  heading: 'items',
  rows,
  columns: {
    [capitalized(item)]: ({ target }) => targetLink({ type, id: target }),
    Why: ({ error }) => error !== null && untrusted(error, 300),
  },
})}</section>`
  );
}

export const bulkView = defineView({
  call: {
    path: '/bulk/{id}',
    id: 'getBulk',
    summary: 'Shows a bulk action with its progress and failures',
    tag: 'Bulk actions',
    description:
      'Poll it to follow a bulk action: its state, how many items are done or failed, why it waits, and the first 100 failures. 404 if there is no such bulk action.',
    role: 'read',
    row: shownBulk,
    name: 'ShownBulk',
  },
  page: { path: '/bulk/{id}', html: bulkPage },
  params: idParams,
  missing: NO_BULK,
  read: ({ reads }, { id }) => findBulk(reads, id),
});
