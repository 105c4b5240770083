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
import { meansOpen, type SubjectFilter, subjectConditions } from '../../store/tables/subject-filter.ts';
import { may } from '../access.ts';
import { listAddress, nameOf, subjectAddress, titleOf } from '../board/addresses.ts';
import { html, type Markup } from '../board/html.ts';
import { bulkForm } from '../board/pages/bulk.ts';
import { briefly } from '../board/reasons.ts';
import { nextPage, numeric, table } from '../board/table.ts';
import { age, capitalized, foreign, number, plural, words } from '../board/text.ts';
import { trackingLink } from '../board/tracking.ts';
import { text } from '../queries.ts';
import { defineList, type ShownRows } from './list.ts';
import { levelTitles } from './subject/page.ts';
import { type SubjectRow, selectSubjects, subjectRow, toSubject, troubleRow } from './subject/row.ts';
import type { Sources } from './view.ts';

/** Orders of the list: by tenant, kind and id, the longest in their stage first, or the newest in it. */
const sorts = ['id', 'oldest', 'newest'] as const;

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
  sort: z.enum(sorts).exactOptional().describe('by tenant, kind and id, or by the time in their stage'),
};

/** Subject after which a page begins; its time is needed where they are sorted by time. */
type Place = SubjectRef & { readonly stageSince?: Date | undefined };

/** Returns the subjects that match a filter, each sort from an index in its order. */
export async function listSubjects(
  { reads }: Pick<Sources, 'reads'>,
  filter: SubjectFilter,
  {
    sort = 'id',
    after,
    limit,
  }: { readonly sort?: (typeof sorts)[number]; readonly after?: Place; readonly limit: number },
): Promise<readonly SubjectRow[]> {
  const matching = [...subjectConditions(filter), ...(after ? [isAfter(after, sort)] : [])];
  let query = matching.reduce((selected, condition) => selected.where(condition), selectSubjects(reads)).limit(limit);
  const direction = sort === 'newest' ? 'desc' : 'asc';
  if (sort !== 'id') query = query.orderBy('stage_since', direction);
  for (const column of ['tenant', 'kind', 'subject_id'] as const) query = query.orderBy(column, direction);
  return (await query.execute()).map(toSubject);
}

function isAfter({ stageSince, tenant, kind, id }: Place, sort: (typeof sorts)[number]): RawBuilder<boolean> {
  if (sort === 'id') return sql<boolean>`(tenant, kind, subject_id) > (${tenant}, ${kind}, ${id})`;
  if (!stageSince) throw new Problem(400, `after ${NO_PLACE}`);
  const comparison = sort === 'oldest' ? sql`>` : sql`<`;
  return sql<boolean>`(stage_since, tenant, kind, subject_id) ${comparison} (${stageSince.getTime()}, ${tenant}, ${kind}, ${id})`;
}

const NO_PLACE = 'must be the "next" of an earlier page';

/** Place of a subject: its key, after its time in its stage where they are sorted by it, such as `1770000000000.order:9104:31004581`. */
const place = z.string().transform((value, context): Place => {
  const [, time, key = ''] = /^(?:(\d{1,15})\.)?([^\0]+)$/s.exec(value) ?? [];
  const subject = parseSubjectKey(key);
  if (subject) return { ...subject, stageSince: time === undefined ? undefined : new Date(Number(time)) };
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
  read(sources, { sort = 'id', after, ...filter }, limit) {
    if (sort !== 'id' && !hasTimeIndex(filter)) throw new Problem(400, `sort ${NO_INDEX}`);
    return listSubjects(sources, filter, { sort, limit, ...(after && { after }) });
  },
  placeOf: ({ stageSince, ...subject }, { sort = 'id' }) =>
    `${sort === 'id' ? '' : `${stageSince.getTime()}.`}${subjectKey(subject)}`,

  pages: {
    /** Orders, unless another kind, or everything that needs attention, is asked for; in the order that an index has. */
    '/subjects': ({ stage, attention, group, customer, tenant }) => ({
      ...((attention ?? group) === undefined && { kind: 'order' }),
      ...(meansOpen({ stage, attention, group }) && { open: 'true' }),
      sort:
        (customer ?? tenant) !== undefined ? 'id' : lastOrderStages.some((it) => it === stage) ? 'newest' : 'oldest',
    }),
  },

  html(shown) {
    const { rows, next, total, caller, now, filters } = shown;
    const { kind, stage, attention, group, customer, tenant, id } = filters;
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
${rows.length > 0 && id === undefined && may(caller, 'act') && bulkForm('refresh', { kind, stage, attention, group, customer, tenant }, total)}`,
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

function filterForm({ kind, stage, attention, group, customer, tenant }: Filters): Markup {
  const option = (value: string, name: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${name}</option>`;
  return html`<form class="filters" action="/board/subjects">
${kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`}
${group !== undefined && html`<input type="hidden" name="group" value="${group}">`}
<label>Stage <select name="stage">${option('', (attention ?? group) === undefined ? 'all that are open' : 'any stage', stage)}${stages.map((it) => option(it, words(it), stage))}</select></label>
<label>Needs attention <select name="attention">${option('', 'or not', attention)}${Object.entries(marks).map(([mark, name]) => option(mark, name, attention))}</select></label>
<label>Customer <input name="customer" value="${customer}" maxlength="100" size="8"></label>
<label>Account <input name="tenant" value="${tenant}" maxlength="100" size="8"></label>
<button>Filter</button>
</form>`;
}

const sortNames = { oldest: 'longest in their stage first', newest: 'newest first', id: 'by account and id' } as const;

function describe({ stage, attention, group, sort = 'id' }: Filters): string {
  const which = group
    ? 'All that need attention for the same reason'
    : attention
      ? 'All that need attention'
      : stage
        ? capitalized(words(stage))
        : 'All that are open';
  return `${which}, ${sortNames[sort]}.`;
}

/** Shows subjects, with their kinds if they are of several. */
export const subjectTable = (
  rows: readonly SubjectRow[],
  { now, title, areMixed }: { readonly now: number; readonly title: string; readonly areMixed: boolean },
): Markup => {
  const kinds = new Set(rows.map(({ kind }) => kind));
  return table({
    label: title,
    columns: [
      'Id',
      'Reference',
      'Customer',
      kinds.has('order') && 'Shipment',
      ...(kinds.has('stock') ? shownLevels.map((it) => numeric(levelTitles[it])) : []),
      'Stage',
      'For',
      'Last event',
      'Attention',
    ],
    rows: rows.map(
      (row) => html`<tr id="row-${subjectKey(row)}">
<th scope="row"><a href="${subjectAddress(row)}">${foreign(areMixed ? nameOf(row) : row.id, 60)}</a></th>
<td class="reference">${row.referenceNumber !== null && foreign(row.referenceNumber, 60)}${row.facts.poNumber !== undefined && html` <span class="muted">${foreign(row.facts.poNumber, 40)}</span>`}</td>
<td>${customerLink(row)}</td>
${kinds.has('order') && html`<td>${shipment(row)}</td>`}
${kinds.has('stock') && shownLevels.map((it) => html`<td class="number">${row.facts.levels?.[it] !== undefined && number(row.facts.levels[it])}</td>`)}
<td><span class="badge">${capitalized(words(row.stage))}</span></td>
<td class="nowrap">${age(row.stageSince, now)}</td>
<td class="nowrap">${row.lastEventAt ? html`${age(row.lastEventAt, now)} ago` : 'none'}</td>
<td>${briefly(row, now)}</td>
</tr>`,
    ),
  });
};

/** Amounts of stock that a list shows. */
const shownLevels = ['onHand', 'available', 'allocated', 'onHold'] as const;

/** Names a customer, with a link to all of its records. */
function customerLink({ kind, customerId, facts: { customerName } }: SubjectRow): Markup | false {
  if (customerId === null) return false;
  const address = listAddress('/board/subjects', { kind, customer: customerId });
  return html`<a href="${address}">${foreign(customerName ?? customerId, 40)}</a>`;
}

function shipment({ facts: { carrier, service, trackingNumbers = [] } }: SubjectRow): Markup {
  const [first, ...others] = trackingNumbers;
  const by = [carrier, service].filter((it) => it !== undefined).join(' ');
  return html`${by !== '' && foreign(by, 40)}${first !== undefined && html` ${trackingLink(first, carrier)}`}${others.length > 0 && html` <span class="muted">and ${plural(others.length, 'other')}</span>`}`;
}
