import { sql } from 'kysely';
import { z } from 'zod';
import { type Actor, auditedActions, auditedNames, auditedTargets, auditOutcomes } from '../../domain/audit.ts';
import { readRow } from '../../store/rows.ts';
import { targetLink } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { untrusted, when } from '../board/text.ts';
import { atLeast, equals, explained, fieldBy, filterBy, moment, text } from '../queries.ts';
import { defineList } from './list.ts';
import { newestFirst } from './place.ts';
import { count, instant } from './view.ts';

export const actorName = ({ token, operator }: Actor): Markup =>
  operator === null
    ? untrusted(token, 60)
    : html`${untrusted(operator, 60)} <span class="muted">${untrusted(token, 60)}</span>`;

const auditRow = z.object({
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
  by: fieldBy(
    explained(text, 'only by this token or operator', 'ana'),
    (by) => sql`(token = ${by} or operator = ${by} or substr(token, 1, ${by.length + 1}) = ${`${by}@`})`,
  ),
  action: filterBy(z.enum(auditedNames).describe('only this action'), equals('action')),
  since: filterBy(moment.describe('only since then'), atLeast('at')),
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
  columns: {
    at: { head: 'When', as: 'nowrap', cell: ({ at }) => when(at) },
    token: { head: 'By', cell: actorName },
    operator: {},
    action: { as: 'nowrap', cell: ({ action }) => auditedActions[action] },
    target: {
      head: 'On',
      cell: ({ target }) => targetLink(target),
      text: ({ target: { type, id } }) => `${type} ${id}`,
    },
    outcome: {
      cell: ({ outcome, detail }) =>
        html`<span class="badge ${outcome === 'done' ? 'good' : outcome === null ? '' : 'warn'}">${outcome ?? 'not ended'}</span>${detail !== null && html` <span class="muted">${untrusted(detail, 200)}</span>`}`,
    },
    detail: {},
  },

  select: ({ reads }) => reads.selectFrom('audit').selectAll(),
  order: () => newestFirst,
  toRows: (_sources, stored) =>
    stored.map((entry) => readRow(auditRow, entry, { target: { type: entry.target_type, id: entry.target } })),

  page: () => ({
    title: 'Audit',
    section: 'audit',
    about: html`<p class="muted">What people changed, here, by the administrative API or by command; newest first. <a href="/board/bulk">Bulk actions</a> have pages of their own.</p>`,
    empty: 'No changes. Older ones may have been purged.',
  }),
});
