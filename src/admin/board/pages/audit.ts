import type { AuditEntry, auditedActions } from '../../audit.ts';
import { targetLink } from '../addresses.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { nextPage, table } from '../table.ts';
import { foreign, when } from '../text.ts';
import type { ListPage } from './queries.ts';

/** Actions in the words of the board's buttons. */
const names = {
  refresh: 'Refresh',
  release: 'Clear attention',
  resend: 'Resend',
  replay: 'Replay',
  erase: 'Erase',
  backup: 'Back up',
  cancel: 'Cancel',
  reconcile: 'Reconcile',
  backfill: 'Backfill',
} as const satisfies Record<(typeof auditedActions)[number], string>;

/** Page of what people changed. */
export const auditPage = ({ rows, next, by }: ListPage<AuditEntry> & { readonly by: string | undefined }): Page => ({
  title: 'Audit',
  section: '/board/audit',
  content: html`<h1>Audit</h1>
<p class="muted">What people changed, here, by the administrative API or by command; newest first. <a href="/board/bulk">Bulk actions</a> have pages of their own.</p>
<form class="filters" action="/board/audit">
<label>By <input name="by" value="${by}" maxlength="100" size="12"></label>
<button>Filter</button>
</form>
${rows.length === 0 ? html`<p class="empty">Nobody has changed anything${by !== undefined && html` as “${foreign(by)}”`} yet, or it was long ago.</p>` : auditTable(rows)}
${nextPage(next)}`,
});

const auditTable = (entries: readonly AuditEntry[]): Markup =>
  table({
    label: 'Actions',
    columns: ['When', 'By', 'Action', 'On', 'Outcome'],
    rows: entries.map(
      ({ id, at, actor: { token, operator }, action, target, outcome, detail }) => html`<tr id="row-${id}">
<td class="nowrap">${when(at)}</td>
<td>${operator !== null && html`${foreign(operator, 60)} `}<span class="${operator !== null && 'muted'}">${foreign(token, 60)}</span></td>
<td class="nowrap">${names[action]}</td>
<td>${targetLink(target)}</td>
<td>${badge(outcome)}${detail !== null && html` <span class="muted">${foreign(detail, 200)}</span>`}</td>
</tr>`,
    ),
  });

const badge = (outcome: AuditEntry['outcome']): Markup =>
  html`<span class="badge ${outcome === 'done' ? 'good' : outcome === null ? '' : 'warn'}">${outcome ?? 'not ended'}</span>`;
