import type { AuditTarget } from '../../../domain/audit.ts';
import { type Caller, may } from '../../access.ts';
import type { BulkFilter, BulkName } from '../../bulk/filters.ts';
import type { BulkAction, BulkFailure } from '../../bulk/ports.ts';
import { bulkAddress, targetLink } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { fact, nextPage, numeric, table } from '../table.ts';
import { duration, foreign, number, plural, when, words } from '../text.ts';
import type { ListPage } from './queries.ts';

/** Words for each bulk action, and the type of its items. */
const kinds = {
  refresh: { verb: 'Refresh', doing: 'Refreshing', item: 'record', type: 'subject' },
  resend: { verb: 'Resend', doing: 'Resending', item: 'announcement', type: 'announcement' },
  replay: { verb: 'Replay', doing: 'Replaying', item: 'webhook', type: 'delivery' },
} as const satisfies Record<BulkName, Readonly<Record<'verb' | 'doing' | 'item', string>> & Pick<AuditTarget, 'type'>>;

const items = (action: BulkName, count: number): string => plural(count, kinds[action].item);

/** Form below a list that previews an action on everything that the list's filter names. */
export const bulkForm = (
  action: BulkName,
  fields: Readonly<Record<string, string | undefined>>,
  /** Number of everything that matches, if the page shows all. */
  count: number | undefined,
): Markup => {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`<form class="bulk" method="post" action="/board/bulk">
<input type="hidden" name="action" value="${action}">
${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${kinds[action].verb} all ${count === undefined ? 'that match' : number(count)}…</button>
<span class="muted">Shows first what it would do.</span>
</form>`;
};

/** Page of a bulk action: its preview, its progress or its result. */
export function bulkPage({
  bulk,
  failures,
  webhooks,
  caller,
  now,
}: {
  readonly bulk: BulkAction;
  readonly failures: readonly BulkFailure[];
  /** Webhooks of a replay that are still quarantined. */
  readonly webhooks: readonly { readonly id: number; readonly reason: string }[];
  readonly caller: Caller;
  readonly now: number;
}): Page {
  const title = titleOf(bulk);
  const reasons = new Map(webhooks.map(({ id, reason }) => [String(id), reason]));
  return {
    title,
    section: '/board/audit',
    content: html`
<p><a href="/board/bulk">Bulk actions</a></p>
<h1>${title}</h1>
${standing(bulk, now)}
${may(caller, 'act') && forms(bulk)}
${facts(bulk)}
${bulk.confirmedAt === null ? samples(bulk, reasons) : failureTable(bulk, failures, reasons)}`,
  };
}

function titleOf({ action, state, total }: BulkAction): string {
  const { verb, doing } = kinds[action];
  if (state === 'running') return `${doing} ${items(action, total)}`;
  if (state === 'previewed' || state === 'preparing') return `${verb} ${items(action, total)}?`;
  return `${verb} of ${items(action, total)}${state === 'done' ? '' : `: ${state}`}`;
}

function standing(bulk: BulkAction, now: number): Markup {
  const { action, state, total, done, failed, expiresAt, trouble } = bulk;
  const tried = `${number(done + failed)} of ${items(action, total)} tried${failed > 0 ? `, ${number(failed)} failed` : ''}`;
  if (state === 'preparing') return html`<p>They are still being chosen. Reload the page in a moment.</p>`;
  if (state === 'previewed') {
    return total === 0
      ? html`<p class="empty">Nothing matches, so there is nothing to do.</p>`
      : html`<p>Nothing has been done yet. Exactly these will be tried, and nothing that comes later. The preview holds for ${duration(expiresAt - now)}.</p>`;
  }
  if (state === 'expired')
    return html`<p>Nobody confirmed it in time, and nothing was done. Start again from the list.</p>`;
  if (state === 'running') {
    return html`<div class="progress"><progress max="${total}" value="${done + failed}" aria-label="Progress"></progress>
<p role="status">${tried}.</p></div>
${trouble !== null && html`<p class="problem">${trouble} It goes on by itself.</p>`}
<noscript><p class="muted">Reload the page to see how far it is.</p></noscript>`;
  }
  if (state === 'canceled' && bulk.confirmedAt === null)
    return html`<p>It was canceled before it began. Nothing was done.</p>`;
  if (state === 'canceled') return html`<p role="status">Canceled: ${tried}.</p>`;
  const result = failed === 0 ? 'none failed' : `${number(done)} done, ${number(failed)} failed`;
  return html`<p role="status">All were tried: ${result}.</p>`;
}

function forms({ id, action, state, total }: BulkAction): Markup | null {
  const form = (name: string, label: string, isPrimary: boolean) =>
    html`<form method="post" action="${bulkAddress(id)}/${name}"><button${isPrimary && html` class="primary"`}>${label}</button></form>`;
  if (state === 'previewed') {
    return html`<div class="actions">${total > 0 && form('confirm', `${kinds[action].verb} ${items(action, total)}`, true)}${form('cancel', 'Cancel', false)}</div>`;
  }
  return state === 'running' ? html`<div class="actions">${form('cancel', 'Cancel the rest', false)}</div>` : null;
}

const facts = ({ filter, createdAt, createdBy, confirmedAt, finishedAt }: BulkAction): Markup => html`<dl class="facts">
${fact('Filter', describeFilter(filter))}
${fact('Chosen', html`${when(createdAt)} by ${foreign(createdBy)}`)}
${fact('Confirmed', confirmedAt !== null && when(confirmedAt))}
${fact('Ended', finishedAt !== null && when(finishedAt))}
</dl>`;

const describeFilter = (filter: BulkFilter): Markup => {
  const given = Object.entries(filter);
  if (given.length === 0) return html`everything`;
  return html`${given.map(([name, value], index) => html`${index > 0 && ', '}${words(name)}: ${foreign(value, 200)}`)}`;
};

/** Reasons of webhooks by their numbers. */
type Reasons = ReadonlyMap<string, string>;

const samples = ({ action, sample, total }: BulkAction, reasons: Reasons): Markup | null =>
  sample.length === 0
    ? null
    : html`<section><h2 id="sample">${total > sample.length ? `The first ${sample.length} of ${number(total)}` : 'All of them'}</h2>
<ul class="sample">${sample.map((id) => html`<li>${targetLink({ type: kinds[action].type, id })} <span class="muted">${foreign(reasons.get(id) ?? '')}</span></li>`)}</ul></section>`;

function failureTable(
  { action, failed }: BulkAction,
  failures: readonly BulkFailure[],
  reasons: Reasons,
): Markup | null {
  if (failures.length === 0) return null;
  const isPart = failed > failures.length;
  return html`<section><h2 id="failures">Failed${isPart && `: the first ${failures.length} of ${number(failed)}`}</h2>
${table({
  heading: 'failures',
  columns: ['What', 'Why'],
  rows: failures.map(
    ({ target, error }) =>
      html`<tr><th scope="row">${targetLink({ type: kinds[action].type, id: target })}</th><td>${foreign(error, 300)} <span class="muted">${foreign(reasons.get(target) ?? '', 300)}</span></td></tr>`,
  ),
})}</section>`;
}

/** Page of the bulk actions, the newest first. */
export const bulkListPage = ({ rows, next }: ListPage<BulkAction>): Page => ({
  title: 'Bulk actions',
  section: '/board/audit',
  content: html`
<p><a href="/board/audit">Audit</a></p>
<h1>Bulk actions</h1>
<p class="muted">Actions on everything that a list's filter named; newest first. They begin with a button below the list.</p>
${rows.length === 0 ? html`<p class="empty">None yet, or it was long ago.</p>` : bulkTable(rows)}
${nextPage(next)}`,
});

const bulkTable = (rows: readonly BulkAction[]): Markup =>
  table({
    label: 'Bulk actions',
    columns: ['Action', 'State', numeric('Tried'), numeric('Failed'), 'Filter', 'By', 'Chosen'],
    rows: rows.map(
      ({ id, action, filter, createdBy, createdAt, state, total, done, failed }) => html`<tr id="row-${id}">
<th scope="row" class="nowrap"><a href="${bulkAddress(id)}">${kinds[action].verb} ${items(action, total)}</a></th>
<td><span class="badge ${state === 'done' ? 'good' : ''}">${state}</span></td>
<td class="number">${number(done + failed)}</td>
<td class="number">${number(failed)}</td>
<td>${describeFilter(filter)}</td>
<td>${foreign(createdBy, 60)}</td>
<td class="nowrap">${when(createdAt)}</td>
</tr>`,
    ),
  });
