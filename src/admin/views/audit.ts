import { sql } from 'kysely';
import { z } from 'zod';
import { auditedActions, auditedNames, auditedTargets, auditOutcomes } from '../../domain/audit.ts';
import { readRow } from '../../store/stored-row.ts';
import { actorName } from '../board/actor-name.ts';
import { targetLink } from '../board/addresses.ts';
import { filterForm } from '../board/filter-form.ts';
import { html } from '../board/html.ts';
import { listEnd, nowrap, type Row, table } from '../board/table.ts';
import { untrusted, when } from '../board/text.ts';
import { filterBy } from '../filter.ts';
import { explained, moment, text } from '../queries.ts';
import { defineList } from './list.ts';
import { newestFirst } from './place.ts';
import { count, instant } from './view.ts';

export const auditRow = z.object({
  id: count,
  at: instant,
  token: z.string().describe('Name of the token; of a limited one with its limits, `acme@9104/77`.'),
  operator: z.string().nullable().describe('Name that the holder of the token gave. Nobody verifies it.'),
  action: z.enum(auditedNames),
  target: z.object({ type: z.enum(auditedTargets), id: z.string() }),
  outcome: z
    .enum(auditOutcomes)
    .nullable()
    .describe('Null while it is under way, and for good if the process ended meanwhile.'),
  detail: z.string().nullable(),
});

const filters = {
  by: filterBy(explained(text, 'only by this token or operator', 'ana'), {
    label: 'By',
    where: (by) => sql`(token = ${by} or operator = ${by} or substr(token, 1, ${by.length + 1}) = ${`${by}@`})`,
  }),
  action: filterBy(z.enum(auditedNames).describe('only this action'), { where: (action) => sql`action = ${action}` }),
  since: filterBy(moment.describe('only since then'), { where: (at) => sql`at >= ${at}` }),
};

export const auditList = defineList({
  path: '/audit',
  summary: 'Lists what people changed, newest first',
  tag: 'Operations',
  description:
    'Every action of a person or a script with its token, what it was done to, and how it ended. An entry is written before the action runs, so it is there even if the process stopped.',
  names: { row: 'AuditEntry', page: 'AuditPage' },
  filters,
  row: auditRow,
  columns: ['at', 'token', 'operator', 'action', 'target', 'outcome', 'detail'],

  select: ({ reads }) => reads.selectFrom('audit').selectAll(),
  order: () => newestFirst,
  toRows: (_sources, stored) =>
    stored.map((entry) => readRow(auditRow, entry, { target: { type: entry.target_type, id: entry.target } })),

  html: (shown) => ({
    title: 'Audit',
    section: 'audit',
    content: html`<h1>Audit</h1>
<p class="muted">What people changed, here, by the administrative API or by command; newest first. <a href="/board/bulk">Bulk actions</a> have pages of their own.</p>
${filterForm(shown)}
${shown.rows.length === 0 && html`<p class="empty">No changes${shown.filters.by !== undefined && html` by “${untrusted(shown.filters.by)}”`}. Older ones may have been purged.</p>`}
${shown.rows.length > 0 && table({ label: 'Actions', columns: [nowrap('When'), 'By', nowrap('Action'), 'On', 'Outcome'], rows: shown.rows.map(entry) })}
${listEnd(shown)}`,
  }),
});

const entry = ({ id, at, token, operator, action, target, outcome, detail }: z.output<typeof auditRow>): Row => ({
  id: String(id),
  cells: [
    when(at),
    actorName({ token, operator }),
    auditedActions[action],
    targetLink(target),
    html`<span class="badge ${outcome === 'done' ? 'good' : outcome === null ? '' : 'warn'}">${outcome ?? 'not ended'}</span>${detail !== null && html` <span class="muted">${untrusted(detail, 200)}</span>`}`,
  ],
});
