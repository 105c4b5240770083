import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import {
  parseSubjectKey,
  type SubjectKind,
  type SubjectRef,
  subjectKey,
  subjectKinds,
} from '../../domain/catalogue/subject.ts';
import { type Attention, attentions } from '../../domain/lifecycle/attention.ts';
import { lastOrderStages, stages } from '../../domain/lifecycle/stage.ts';
import { Problem } from '../../http/problem.ts';
import { dueConditions, isDueAndOpen } from '../../store/tables/deadlines.ts';
import { meansOpen, type SubjectFilter, subjectConditions } from '../../store/tables/subject-filter.ts';
import { may } from '../access.ts';
import { listAddress, titleOf } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { bulkForm } from '../board/pages/bulk.ts';
import { nextPage } from '../board/table.ts';
import { capitalized, words } from '../board/text.ts';
import { text } from '../queries.ts';
import { defineList, type ShownRows } from './list.ts';
import { type SubjectRow, selectSubjects, subjectRow, toSubject, troubleRow } from './subject/row.ts';
import { subjectTable } from './subject/table.ts';
import type { Sources } from './view.ts';

/** Orders of the list: by tenant, kind and id, the longest in their stage first, the newest in it, or those that are due first. */
const sorts = ['id', 'oldest', 'newest', 'due'] as const;

/** Time by which each sort orders; none for the ids. */
const timeOf = { oldest: 'stage_since', newest: 'stage_since', due: 'due_at' } as const;

const filters = {
  kind: z.enum(subjectKinds).exactOptional(),
  stage: z.enum(stages).exactOptional(),
  attention: z
    .enum(['any', ...attentions])
    .exactOptional()
    .describe('only subjects that need attention'),
  customer: text.exactOptional(),
  tenant: text.exactOptional(),
  id: text.exactOptional(),
  group: text.exactOptional().describe('only equal reasons for attention, as the first page of the board groups them'),
  open: z.enum(['true']).exactOptional().describe('only those that are not closed, canceled or deleted'),
  due: z
    .enum(['overdue', 'atRisk'])
    .exactOptional()
    .describe('only those that are open and overdue, or at risk and not yet due'),
  sort: z
    .enum(sorts)
    .exactOptional()
    .describe('by tenant, kind and id, by the time in their stage, or by when the open ones are due'),
};

/** Subject after which a page begins; its time is needed where they are sorted by time. */
type Place = SubjectRef & { readonly at?: Date | undefined };

/** Returns the subjects that match a filter, each sort from an index in its order. */
export async function listSubjects(
  { reads }: Pick<Sources, 'reads'>,
  filter: SubjectFilter,
  {
    sort = 'id',
    due,
    after,
    limit,
  }: {
    readonly sort?: (typeof sorts)[number];
    readonly due?: keyof typeof dueConditions;
    readonly after?: Place;
    readonly limit: number;
  },
): Promise<readonly SubjectRow[]> {
  const matching = [
    ...subjectConditions(filter),
    ...(sort === 'due' ? [isDueAndOpen] : []),
    ...(due ? [dueConditions[due](Date.now())] : []),
    ...(after ? [isAfter(after, sort)] : []),
  ];
  let query = matching.reduce((selected, condition) => selected.where(condition), selectSubjects(reads)).limit(limit);
  const direction = sort === 'newest' ? 'desc' : 'asc';
  if (sort !== 'id') query = query.orderBy(timeOf[sort], direction);
  for (const column of ['tenant', 'kind', 'subject_id'] as const) query = query.orderBy(column, direction);
  return (await query.execute()).map(toSubject);
}

function isAfter({ at, tenant, kind, id }: Place, sort: (typeof sorts)[number]): RawBuilder<boolean> {
  if (sort === 'id') return sql<boolean>`(tenant, kind, subject_id) > (${tenant}, ${kind}, ${id})`;
  if (!at) throw new Problem(400, `after ${NO_PLACE}`);
  const comparison = sort === 'newest' ? sql`<` : sql`>`;
  return sql<boolean>`(${sql.ref(timeOf[sort])}, tenant, kind, subject_id) ${comparison} (${at.getTime()}, ${tenant}, ${kind}, ${id})`;
}

const NO_PLACE = 'must be the "next" of an earlier page';

/** Place of a subject: its key, after its time where they are sorted by one, such as `1770000000000.order:9104:31004581`. */
const place = z.string().transform((value, context): Place => {
  const [, time, key = ''] = /^(?:(\d{1,15})\.)?([^\0]+)$/s.exec(value) ?? [];
  const subject = parseSubjectKey(key);
  if (subject) return { ...subject, at: time === undefined ? undefined : new Date(Number(time)) };
  context.addIssue({ code: 'custom', message: NO_PLACE });
  return z.NEVER;
});

/** Reports whether an index has the subjects that match a filter in the order of their time. */
const hasTimeIndex = ({ kind, stage, open, attention, group }: SubjectFilter): boolean =>
  (attention ?? group) !== undefined || (kind !== undefined && (stage ?? open) !== undefined);

const NO_INDEX = 'by time needs attention, group, or kind with stage or open';

/** Subjects. */
export const subjectList = defineList({
  path: '/subjects',
  summary: 'Lists subjects',
  names: { row: 'ListedSubject', page: 'SubjectPage' },
  parts: { Trouble: troubleRow },
  filters,
  place,
  row: subjectRow,
  read(sources, { due, sort = due ? 'due' : 'id', after, ...filter }, limit) {
    if (due && sort !== 'due') throw new Problem(400, 'due goes with sort=due');
    if ((sort === 'oldest' || sort === 'newest') && !hasTimeIndex(filter)) throw new Problem(400, `sort ${NO_INDEX}`);
    return listSubjects(sources, filter, { sort, limit, ...(due && { due }), ...(after && { after }) });
  },
  placeOf({ stageSince, dueAt, ...subject }, { due, sort = due ? 'due' : 'id' }) {
    const at = sort === 'due' ? dueAt : stageSince;
    return `${sort === 'id' ? '' : `${at?.getTime()}.`}${subjectKey(subject)}`;
  },

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ stage, attention, group, customer, tenant, due }) => ({
      ...((attention ?? group) === undefined && { kind: 'order' }),
      ...(meansOpen({ stage, attention, group }) && { open: 'true' }),
      sort: due
        ? 'due'
        : (customer ?? tenant) !== undefined
          ? 'id'
          : lastOrderStages.some((it) => it === stage)
            ? 'newest'
            : 'oldest',
    }),
  },

  html(shown) {
    const { rows, next, total, caller, now, filters } = shown;
    const { kind, stage, attention, group, customer, tenant, id, due } = filters;
    const title = kind === undefined ? 'Needs attention' : titleOf(kind);
    return {
      title,
      section: '/board/subjects',
      content: html`<h1>${title}</h1>
${families(kind)}
${filterForm(filters)}
<p class="muted">${describe(filters)}</p>
${rows.length === 0 ? html`<p class="empty">None${meansOpen(filters) && ' is open. Choose a stage to see those that ended'}.</p>` : subjectTable(rows, { now, title, areMixed: kind === undefined })}
${nextPage(next)}
${rows.length > 0 && id === undefined && due === undefined && may(caller, 'act') && bulkForm('refresh', { kind, stage, attention, group, customer, tenant }, total)}`,
    };
  },
});

type Filters = ShownRows<typeof filters, SubjectRow>['filters'];

const families = (chosen: SubjectKind | undefined): Markup => html`<nav aria-label="Kinds of records"><ul class="links">
${subjectKinds.map(
  (kind) =>
    html`<li><a href="${listAddress('/board/subjects', { kind })}"${kind === chosen && html` aria-current="page"`}>${titleOf(kind)}</a></li>`,
)}
</ul></nav>`;

/** Names of the marks, as a filter. */
const marks = {
  any: 'any reason',
  stalled: 'in its stage for too long',
  refused: 'refused by the warehouse',
  unannounced: 'announcement given up',
  failing: 'failing and retried',
} as const satisfies Record<'any' | Attention, string>;

function filterForm({ kind, stage, attention, group, customer, tenant, due }: Filters): Markup {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`;
  return html`<form class="filters" action="/board/subjects">
${kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`}
${group !== undefined && html`<input type="hidden" name="group" value="${group}">`}
<label>Stage <select name="stage">${option('', (attention ?? group) === undefined ? 'all that are open' : 'any stage', stage)}${stages.map((it) => option(it, words(it), stage))}</select></label>
<label>Needs attention <select name="attention">${option('', 'or not', attention)}${Object.entries(marks).map(([mark, name]) => option(mark, name, attention))}</select></label>
<label>Due <select name="due">${option('', 'or not', due)}${option('overdue', 'overdue', due)}${option('atRisk', 'at risk', due)}</select></label>
<label>Customer <input name="customer" value="${customer}" maxlength="100" size="8"></label>
<label>Account <input name="tenant" value="${tenant}" maxlength="100" size="8"></label>
<button>Filter</button>
</form>`;
}

const sortNames = {
  oldest: 'longest in their stage first',
  newest: 'newest first',
  id: 'by account and id',
  due: 'those that are due first',
} as const;

/** Words of a filter by deadlines in the description of a list. */
const dueNames = { overdue: ' and overdue', atRisk: ' and at risk' } as const;

function describe({ stage, attention, group, due, sort = 'id' }: Filters): string {
  const which = group
    ? 'All that need attention for the same reason'
    : attention
      ? 'All that need attention'
      : stage
        ? capitalized(words(stage))
        : 'All that are open';
  return `${which}${due ? dueNames[due] : ''}, ${sortNames[sort]}.`;
}
